/** Starts a thread with its first message and its visibility. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { runMutation } from '../api/client.js';
import { newIdempotencyKey } from '../api/idempotency-key.js';
import { createThreadMutation } from '../api/posting-documents.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { ReadersChoice, ReadersLine } from '../threads/readers.js';
import { BackLink } from '../ui/common-buttons.js';
import { watchNavigation } from '../ui/page/navigation-guard.js';
import { useTitle } from '../ui/page/title.js';
import { chosenModel, forgetModel } from './composer/chosen-model.js';
import { Composer } from './composer/composer.js';
import { takeDraftAlong, useDraft } from './composer/use-draft.js';
import { preloadMarkdown } from './markdown/rich-text.js';
import { placed } from './messages/message-list.js';
import { PendingRow } from './messages/row-view.js';
import { edgePx } from './messages/scroll/use-sent-question.js';
import type { PendingMessage } from './store/conversation-state.js';
import { beginConversation } from './store/kept-conversations.js';
import { type Draft, retryOnce } from './store/send.js';
import './conversation.css';

const texts = defineTexts('conversation/new-thread-page', {
  title: 'New thread',
  question: 'What should we work on?',
  write: 'Write your first message',
  readers: 'Who can read it:',
  keys: 'Press Enter to send, Shift+Enter for a new line.',
});

export function NewThreadPage() {
  const t = useTexts(texts);
  const { newThreadsArePrivate } = useViewer();
  // Stored like the draft, so that a private message does not become visible to everyone after a reload.
  const privacy = useDraft('new.privacy');
  const isPrivate = privacy.text === '' ? newThreadsArePrivate : privacy.text === 'private';
  const { sending, send } = useFirstMessage(isPrivate, () => privacy.write(''));
  useEffect(preloadMarkdown, []);
  useTitle('Skein');
  return (
    <>
      <header className={`conversation-head ${sending ? '' : 'only-phone'}`}>
        <BackLink />
        <strong className="one-line">{t.title}</strong>
      </header>
      {sending && (
        <div className="messages">
          <div className="messages-row" style={placed('--top', edgePx)}>
            <PendingRow pending={sending} />
          </div>
        </div>
      )}
      {/* What is being sent stands as in its conversation, and the composer stays the one that gets it back where it is refused. */}
      <div className={sending ? 'conversation-foot' : 'new-thread'}>
        {!sending && <h1>{t.question}</h1>}
        <Composer place="new" placeholder={t.write} isBusy={false} onSend={send} hasFocus />
        {sending ? (
          <ReadersLine isPrivate={isPrivate} />
        ) : (
          <div className="new-thread-options">
            <ReadersChoice
              legend={t.readers}
              isPrivate={isPrivate}
              onChoose={(isChosen) => privacy.write(isChosen ? 'private' : 'shared')}
            />
            <span className="field-hint">{t.keys}</span>
          </div>
        )}
      </div>
    </>
  );
}

/** Creates the thread. Its first message is shown at once, here and then in its conversation. */
function useFirstMessage(isPrivate: boolean, onAccepted: () => void) {
  const [, navigate] = useLocation();
  const { sub } = useViewer();
  const [sending, setSending] = useState<PendingMessage | null>(null);
  const send = async ({ text, files, key }: Draft) => {
    const attachmentIds = files.map(({ id }) => id);
    const input = { text, isPrivate, attachmentIds, ...chosenModel('new'), idempotencyKey: key };
    const isStillHere = watchNavigation();
    const sent = { key, text, attachmentNames: files.map(({ name }) => name), messageId: null, cut: null, after: null };
    setSending(sent);
    let outcome = await retryOnce(() => runMutation(createThreadMutation, { input }));
    // The same words for other readers, or for another model, are another thread.
    if (!outcome.ok && outcome.code === 'IDEMPOTENCY_KEY_REUSED') {
      outcome = await runMutation(createThreadMutation, { input: { ...input, idempotencyKey: newIdempotencyKey() } });
    }
    setSending(null);
    if (!outcome.ok) return outcome.message;
    onAccepted();
    if (!isStillHere()) return null;
    const { threadId, messageId } = outcome.value;
    takeDraftAlong(sub, threadId);
    forgetModel('new');
    beginConversation(threadId, { ...sent, messageId });
    navigate(`/threads/${threadId}`, { state: { isNew: true } });
    return null;
  };
  return { sending, send };
}
