/** The account of the viewer: profile, password, sessions and sign-out. */
import { useState } from 'react';
import { type Outcome, runQuery } from '../../api/client.js';
import { sessionsQuery } from '../../api/late/settings-documents.js';
import type { BrowserSession, Identity } from '../../api/types.js';
import { signOut, signOutEverywhere } from '../../sign-in/auth-api.js';
import { Button } from '../../ui/button.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { useList } from '../use-list.js';
import { DataExport } from './data-export.js';
import { leave } from './leave.js';
import { NewThreads } from './new-threads.js';
import { Notifications } from './notifications.js';
import { PasswordForm } from './password-form.js';
import { SessionList } from './session-list.js';

export function AccountPage({ me }: { me: Identity }) {
  const sessions = useList(fetchSessions);
  return (
    <>
      <section>
        <h2>
          <bdi>{displayName(me.name ?? me.email, 'You')}</bdi>
        </h2>
        <p className="field-hint">
          {me.email} · {me.role === 'ADMIN' ? 'administrator' : 'member'} of {me.organizationSlug}
        </p>
      </section>
      <NewThreads me={me} />
      <Notifications />
      <PasswordForm onChanged={sessions.load} />
      <section>
        <SessionList sessions={sessions} />
        <WaysOut />
      </section>
      <DataExport />
    </>
  );
}

function WaysOut() {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      <p className="field-hint">
        Signing out everywhere ends your sessions in all browsers. It does not revoke your API tokens.
      </p>
      <Problem message={problem} />
      <div className="settings-actions">
        <Button onClick={() => void leave(signOut()).then(setProblem)}>Sign out</Button>
        <Button variant="danger" onClick={() => void leave(signOutEverywhere()).then(setProblem)}>
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
