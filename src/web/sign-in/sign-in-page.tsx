/** The sign-in page. It keeps the address, so that users get to the page they wanted after they sign in. */
import { useEffect, useState } from 'react';
import type { SessionEnd } from '../api/session-ended.js';
import { defineTexts, useTexts, withValues } from '../language/texts.js';
import { Button } from '../ui/button.js';
import { Field, Form } from '../ui/field.js';
import { useTitle } from '../ui/page/title.js';
import { Problem } from '../ui/problem.js';
import { useOnce } from '../ui/state/use-once.js';
import { blamesPassword, type SignInMethods, signInByPassword, signInByProvider, signInMethods } from './auth-api.js';
import { providerRefusal } from './provider-refusal.js';
import './sign-in.css';

const texts = defineTexts('sign-in/sign-in-page', {
  heading: 'Sign in to Skein',
  withProvider: withValues('Continue with {provider}'),
  email: 'E-mail address',
  password: 'Password',
  signingIn: 'Signing in…',
  signIn: 'Sign in',
  hint: 'No account yet? Ask an administrator of your organization for an invitation. The first administrator’s sign-in link is printed when the service starts for the first time.',
  here: 'You are signed out.',
  other_tab: 'You signed out in another tab of this browser.',
  other_person: 'Somebody else signed in in another tab of this browser, so you are signed out here.',
  signed_out:
    'You were signed out: in another browser, or because your password was changed. What you wrote is still here when you sign in again.',
  expired: 'Your session has expired. What you wrote is still here when you sign in again.',
  member_removed: 'An administrator removed you from the organization. Ask them to invite you again.',
  goOn: 'Continue as the other person',
});

export interface SignInPageProps {
  /** How the last session ended. */
  end: SessionEnd;
  onSignedIn: () => void;
}

export default function SignInPage({ end, onSignedIn }: SignInPageProps) {
  const t = useTexts(texts);
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  const [problem, setProblem] = useState<string | null>(providerRefusal);
  const { isRunning, once } = useOnce();
  useTitle(t.signIn);
  useEffect(() => {
    void signInMethods().then(setMethods);
    // Removes the error from the address, so that a reload does not show it again.
    if (providerRefusal()) history.replaceState(null, '', location.pathname);
  }, []);
  const run = async (request: Promise<string | null>) => {
    setProblem(null);
    const refusal = await request;
    setProblem(refusal);
    return refusal === null;
  };
  const signIn = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const isIn = await run(signInByPassword(String(fields.get('email')), String(fields.get('password'))));
    if (isIn) onSignedIn();
  };
  const provider = methods?.openIdConnect?.name;
  const isWrong = blamesPassword(problem);
  return (
    <main className="sign-in">
      <h1 className="brand">{t.heading}</h1>
      <SessionEndNote end={end} onContinue={onSignedIn} />
      <Problem message={isWrong ? null : problem} />
      {provider && (
        <Button
          variant="primary"
          aria-disabled={isRunning}
          onClick={() => once(() => run(signInByProvider(location.pathname)))}
        >
          {t.withProvider({ provider })}
        </Button>
      )}
      {methods?.password && (
        <Form onSend={(form) => once(() => signIn(form))}>
          <Field label={t.email} name="email" type="email" autoComplete="username" required autoFocus />
          <Field
            label={t.password}
            name="password"
            type="password"
            autoComplete="current-password"
            problem={isWrong ? problem : null}
            required
          />
          <Button variant={provider ? 'plain' : 'primary'} type="submit" aria-disabled={isRunning}>
            {isRunning ? t.signingIn : t.signIn}
          </Button>
        </Form>
      )}
      <p className="field-hint">{t.hint}</p>
    </main>
  );
}

interface SessionEndNoteProps {
  end: SessionEnd;
  onContinue: () => void;
}

/** Why one must sign in again. */
function SessionEndNote({ end, onContinue }: SessionEndNoteProps) {
  const t = useTexts(texts);
  return (
    <>
      <p role="status">{end && <span className="notice sign-in-note">{t[end]}</span>}</p>
      {end === 'other_person' && <Button onClick={onContinue}>{t.goOn}</Button>}
    </>
  );
}
