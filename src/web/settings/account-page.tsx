/** Who is signed in, their password, and the ways out. */
import { type FormEvent, useState } from 'react';
import { announceSessionEnd } from '../api/session-ended.js';
import type { Identity } from '../api/types.js';
import { forgetDrafts } from '../conversation/use-draft.js';
import { changePassword, signOut, signOutEverywhere } from '../sign-in/auth-api.js';
import { Button } from '../ui/button.js';
import { cleanName } from '../ui/clean-name.js';
import { Field, Problem } from '../ui/field.js';

export function AccountPage({ me }: { me: Identity }) {
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async (request: Promise<string | null>) => {
    const refusal = await request;
    if (refusal === null) {
      forgetDrafts();
      announceSessionEnd();
    }
    setProblem(refusal);
  };
  return (
    <>
      <section>
        <h3>{cleanName(me.name ?? me.email, 'You')}</h3>
        <p className="field-hint">
          {me.email} · {me.role === 'ADMIN' ? 'administrator' : 'member'} of {me.organizationSlug}
        </p>
      </section>
      <PasswordForm />
      <section>
        <h3>Sign out</h3>
        <p className="field-hint">
          Signing out everywhere ends your sessions in all browsers. API tokens stay; revoke them one by one.
        </p>
        <Problem message={problem} />
        <div className="settings-actions">
          <Button onClick={() => void leave(signOut())}>Sign out</Button>
          <Button look="danger" onClick={() => void leave(signOutEverywhere())}>
            Sign out everywhere
          </Button>
        </div>
      </section>
    </>
  );
}

function PasswordForm() {
  const [result, setResult] = useState<{ problem: string | null } | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const problem = await changePassword(String(fields.get('current')), String(fields.get('new')));
    setResult({ problem });
    if (problem === null) form.reset();
  };
  return (
    <section>
      <h3>Password</h3>
      <form className="settings-form" onSubmit={(event) => void submit(event)}>
        <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          hint="At least 12 characters. A sentence is easier to remember than a riddle."
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
          required
        />
        <Problem message={result?.problem ?? null} />
        <p role="status">
          {result?.problem === null && <span className="notice">Changed. Your other sessions were signed out.</span>}
        </p>
        <Button type="submit">Change password</Button>
      </form>
    </section>
  );
}
