/** Changes the password, which ends all other sessions. */
import { useState } from 'react';
import { passwordLength } from '../../../contract.js';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { blamesPassword, changePassword } from '../../sign-in/auth-api.js';
import { useViewer } from '../../sign-in/session.js';
import { Button } from '../../ui/button.js';
import { Field, Form } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';

const texts = defineTexts('settings/account/password-form', {
  title: 'Password',
  current: 'Current password',
  next: 'New password',
  hint: counted({
    one: 'At least {count} character. A phrase is easy to remember and hard to guess.',
    other: 'At least {count} characters. A phrase is easy to remember and hard to guess.',
  }),
  changed: 'Password changed. Your other sessions were signed out.',
  change: 'Change password',
});

export function PasswordForm({ onChanged }: { onChanged: () => Promise<void> }) {
  const t = useTexts(texts);
  const { email } = useViewer();
  const [result, setResult] = useState<{ problem: string | null } | null>(null);
  const { isRunning, once } = useOnce();
  const send = async (form: HTMLFormElement) => {
    setResult(null);
    const fields = new FormData(form);
    const problem = await changePassword(String(fields.get('current')), String(fields.get('new')));
    setResult({ problem });
    if (problem !== null) return;
    form.reset();
    await onChanged();
  };
  const problem = result?.problem ?? null;
  const isWrong = blamesPassword(problem);
  return (
    <section>
      <h2>{t.title}</h2>
      <Form className="settings-form" onSend={(form) => once(() => send(form))}>
        {/* For password managers, which read no fields of the type "hidden". */}
        <input hidden autoComplete="username" defaultValue={email ?? ''} />
        <Field
          label={t.current}
          name="current"
          type="password"
          autoComplete="current-password"
          problem={isWrong ? problem : null}
          required
        />
        <Field
          label={t.next}
          hint={t.hint(passwordLength.min)}
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          required
        />
        <Problem message={isWrong ? null : problem} />
        <p role="status">{result?.problem === null && <span className="notice">{t.changed}</span>}</p>
        <Button type="submit" aria-disabled={isRunning}>
          {t.change}
        </Button>
      </Form>
    </section>
  );
}
