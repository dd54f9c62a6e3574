/** The account of the viewer: profile, password, sessions and sign-out. */
import { useState } from 'react';
import { type Outcome, runQuery } from '../../api/client.js';
import { announceSessionEnd } from '../../api/session-ended.js';
import { sessionsQuery } from '../../api/settings-documents.js';
import type { BrowserSession, Identity } from '../../api/types.js';
import { forgetDrafts } from '../../conversation/composer/use-draft.js';
import { signOut, signOutEverywhere } from '../../sign-in/auth-api.js';
import { Button } from '../../ui/button.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { useList } from '../use-list.js';
import { PasswordForm } from './password-form.js';
import { SessionList } from './session-list.js';

export function AccountPage({ me }: { me: Identity }) {
  const sessions = useList(fetchSessions);
  return (
    <>
      <section>
        <h2>{displayName(me.name ?? me.email, 'You')}</h2>
        <p className="field-hint">
          {me.email} · {me.role === 'ADMIN' ? 'administrator' : 'member'} of {me.organizationSlug}
        </p>
      </section>
      <PasswordForm onChanged={sessions.load} />
      <section>
        <SessionList sessions={sessions} />
        <WaysOut />
      </section>
    </>
  );
}

function WaysOut() {
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
      <p className="field-hint">
        Signing out everywhere ends your sessions in all browsers. It does not revoke your API tokens.
      </p>
      <Problem message={problem} />
      <div className="settings-actions">
        <Button onClick={() => void leave(signOut())}>Sign out</Button>
        <Button variant="danger" onClick={() => void leave(signOutEverywhere())}>
          Sign out everywhere
        </Button>
      </div>
    </>
  );
}

async function fetchSessions(): Promise<Outcome<BrowserSession[]>> {
  const outcome = await runQuery(sessionsQuery, {});
  return outcome.ok ? { ok: true, value: outcome.value.sessions } : outcome;
}
