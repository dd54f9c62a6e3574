/** Invites a colleague by creating a one-time sign-in link that the administrator passes on. */
import { useState } from 'react';
import { textLimits } from '../../../contract.js';
import { runMutation } from '../../api/client.js';
import { inviteMutation } from '../../api/member-documents.js';
import type { Role } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Field, Form, Select } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { type Invitation, SignInLink } from './sign-in-link.js';

const texts = defineTexts('settings/members/invite-form', {
  refused:
    'This address is not valid or already has an account. To send an existing member a new link, choose “New link” below.',
  email: 'E-mail address',
  name: 'Name',
  role: 'Role',
  member: 'Member: works with threads',
  administrator: 'Administrator: also manages members',
  create: 'Create invitation',
});

export function InviteForm({ onInvited }: { onInvited: () => Promise<void> }) {
  const t = useTexts(texts);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [problem, setProblem] = useProblem();
  const [addressProblem, setAddressProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const invite = async (form: HTMLFormElement) => {
    setProblem(null);
    setAddressProblem(null);
    const fields = new FormData(form);
    const role: Role = fields.get('role') === 'ADMIN' ? 'ADMIN' : 'MEMBER';
    const input = { email: String(fields.get('email')), name: String(fields.get('name')).trim() || null, role };
    const outcome = await runMutation(inviteMutation, { input });
    if (!outcome.ok && outcome.problems[0]?.field === 'email') return setAddressProblem(t.refused);
    if (!outcome.ok) return setProblem(outcome.message);
    setInvitation({ email: input.email, link: outcome.value.link, expiresAt: outcome.value.expiresAt });
    form.reset();
    await onInvited();
  };
  return (
    <Form className="settings-form" onSend={(form) => once(() => invite(form))}>
      <Field label={t.email} name="email" type="email" autoComplete="off" problem={addressProblem} required />
      <Field label={t.name} name="name" autoComplete="off" maxLength={textLimits.name.max} />
      <Select label={t.role} name="role" defaultValue="MEMBER">
        <option value="MEMBER">{t.member}</option>
        <option value="ADMIN">{t.administrator}</option>
      </Select>
      <Problem message={problem} />
      <Button variant="primary" type="submit" aria-disabled={isRunning}>
        {t.create}
      </Button>
      {invitation && <SignInLink invitation={invitation} />}
    </Form>
  );
}
