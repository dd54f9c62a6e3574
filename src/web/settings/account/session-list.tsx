/** The sessions of the viewer. Each can be ended except the current one, which signing out ends. */
import { useId } from 'react';
import { runMutation } from '../../api/client.js';
import { endSessionMutation } from '../../api/late/settings-documents.js';
import type { BrowserSession } from '../../api/types.js';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { SignOutButton } from '../../ui/common-buttons.js';
import { Problem } from '../../ui/problem.js';
import type { List } from '../../ui/state/use-list.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { Timestamp } from '../../ui/timestamp.js';
import { deviceOf } from './device.js';

const texts = defineTexts('settings/account/session-list', {
  title: 'Where you are signed in',
  ended: withValues('{device} is signed out. Pages that are open there lose access within seconds.'),
  here: 'This browser',
  since: 'Signed in {time}',
  now: 'in use now',
  lastUsed: 'last used {time}',
  signOutDevice: withValues('Sign out {device}'),
});

export function SessionList({ sessions }: { sessions: List<BrowserSession> }) {
  const t = useTexts(texts);
  return (
    <>
      <h2 ref={sessions.heading} tabIndex={-1}>
        {t.title}
      </h2>
      <Problem message={sessions.problem} />
      <p role="status">{sessions.notice && <span className="notice">{sessions.notice}</span>}</p>
      <ul className="settings-list">
        {sessions.items?.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={sessions.removed} />
        ))}
      </ul>
    </>
  );
}

function SessionRow({ session, onEnded }: { session: BrowserSession; onEnded: (words: string) => Promise<void> }) {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  const hintId = useId();
  const { id, userAgent, createdAt, lastUsedAt, isCurrent } = session;
  const device = deviceOf(userAgent);
  const end = async () => {
    const outcome = await runMutation(endSessionMutation, { id });
    // Another request may have ended it first.
    const isOver = outcome.ok || outcome.code === 'NOT_FOUND';
    setProblem(isOver ? null : outcome.message);
    if (isOver) await onEnded(t.ended({ device }));
  };
  return (
    <li>
      <div>
        <strong title={userAgent ?? undefined}>{device}</strong>
        {isCurrent && <span className="settings-badge">{t.here}</span>}
        <p className="field-hint" id={hintId}>
          <Sentence text={t.since} parts={{ time: <Timestamp at={createdAt} /> }} /> ·{' '}
          {isCurrent ? t.now : <Sentence text={t.lastUsed} parts={{ time: <Timestamp at={lastUsedAt} /> }} />}
        </p>
        <Problem message={problem} />
      </div>
      {!isCurrent && (
        <SignOutButton aria-label={t.signOutDevice({ device })} aria-describedby={hintId} onClick={() => void end()} />
      )}
    </li>
  );
}
