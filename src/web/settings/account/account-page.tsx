/** The account of the viewer: profile, password, sessions and sign-out. */
import { sessionsQuery } from '../../api/late/settings-documents.js';
import type { Identity } from '../../api/types.js';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { signOut, signOutEverywhere } from '../../sign-in/auth-api.js';
import { Button } from '../../ui/button.js';
import { SignOutButton } from '../../ui/common-buttons.js';
import { organizationName, viewerName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import { useList } from '../../ui/state/use-list.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { ImportSection } from '../import/import-section.js';
import { DataExport } from './data-export.js';
import { LanguageChoice } from './language-choice.js';
import { leave } from './leave.js';
import { NewThreads } from './new-threads.js';
import { Notifications } from './notifications.js';
import { PasswordForm } from './password-form.js';
import { SessionList } from './session-list.js';

const texts = defineTexts('settings/account/account-page', {
  administratorOf: 'administrator of {organization}',
  memberOf: 'member of {organization}',
  hint: 'Signing out everywhere ends your sessions in all browsers. It does not revoke your API tokens.',
  everywhere: 'Sign out everywhere',
});

export function AccountPage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const sessions = useList(sessionsQuery, {}, ({ sessions }) => sessions);
  return (
    <>
      <section>
        <h2>
          <bdi>{viewerName(me)}</bdi>
        </h2>
        <p className="field-hint">
          <bdi>{me.email}</bdi> ·{' '}
          <Sentence
            text={me.role === 'ADMIN' ? t.administratorOf : t.memberOf}
            parts={{ organization: <bdi>{organizationName(me)}</bdi> }}
          />
        </p>
      </section>
      <NewThreads me={me} />
      <LanguageChoice />
      <Notifications />
      <PasswordForm onChanged={sessions.load} />
      <section>
        <SessionList sessions={sessions} />
        <WaysOut />
      </section>
      <ImportSection />
      <DataExport />
    </>
  );
}

function WaysOut() {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  return (
    <>
      <p className="field-hint">{t.hint}</p>
      <Problem message={problem} />
      <div className="buttons">
        <SignOutButton onClick={() => void leave(signOut()).then(setProblem)} />
        <Button variant="danger" onClick={() => void leave(signOutEverywhere()).then(setProblem)}>
          {t.everywhere}
        </Button>
      </div>
    </>
  );
}
