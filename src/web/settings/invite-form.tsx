/** Invites a colleague: what comes of it is a link for that one person, which whoever invites them passes on. */
import { type FormEvent, useState } from 'react';
import { change } from '../api/client.js';
import { inviteMutation } from '../api/member-documents.js';
import type { Role } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Field, Problem } from '../ui/field.js';
import { type Invitation, SignInLink } from './sign-in-link.js';

export function InviteForm({ onInvited }: { onInvited: () => Promise<void> }) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const role: Role = fields.get('role') === 'ADMIN' ? 'ADMIN' : 'MEMBER';
    const input = { email: String(fields.get('email')), name: String(fields.get('name')).trim() || null, role };
    const outcome = await change(inviteMutation, { input });
    setProblem(outcome.ok ? null : outcome.message);
    if (!outcome.ok) return;
    setInvitation({ email: input.email, link: outcome.value.link, expiresAt: outcome.value.expiresAt });
    form.reset();
    await onInvited();
  };
  return (
    <form className="settings-form" onSubmit={(event) => void submit(event)}>
      <Field label="E-mail address" name="email" type="email" autoComplete="off" required />
      <Field label="Name" name="name" autoComplete="off" maxLength={255} />
      <div className="field">
        <label htmlFor="invite-role">Role</label>
        <select id="invite-role" name="role" className="input" defaultValue="MEMBER">
          <option value="MEMBER">Member: works with threads</option>
          <option value="ADMIN">Administrator: also invites others</option>
        </select>
      </div>
      <Problem message={problem} />
      <Button look="primary" type="submit">
        Create invitation
      </Button>
      {invitation && <SignInLink invitation={invitation} />}
    </form>
  );
}
