/** Changes the password, which ends all other sessions. */
import { type FormEvent, useState } from 'react';
import { passwordLength } from '../../../contract/password-length.js';
import { changePassword } from '../../sign-in/auth-api.js';
import { Button } from '../../ui/button.js';
import { Field, Problem } from '../../ui/field.js';
import { useOnce } from '../../ui/state/use-once.js';

export function PasswordForm({ onChanged }: { onChanged: () => Promise<void> }) {
  const [result, setResult] = useState<{ problem: string | null } | null>(null);
  const { isRunning, once } = useOnce();
  const send = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const problem = await changePassword(String(fields.get('current')), String(fields.get('new')));
    setResult({ problem });
    if (problem !== null) return;
    form.reset();
    await onChanged();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    once(() => send(form));
  };
  return (
    <section>
      <h2>Password</h2>
      <form className="settings-form" onSubmit={submit}>
        <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          hint={`At least ${passwordLength.min} characters. A phrase is easy to remember and hard to guess.`}
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          required
        />
        <Problem message={result?.problem ?? null} />
        <p role="status">
          {result?.problem === null && (
            <span className="notice">Password changed. Your other sessions were signed out.</span>
          )}
        </p>
        <Button type="submit" aria-disabled={isRunning}>
          Change password
        </Button>
      </form>
    </section>
  );
}
