/** Starts a thread with its first message and its visibility. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { runMutation } from '../api/client.js';
import { newIdempotencyKey } from '../api/idempotency-key.js';
import { createThreadMutation } from '../api/posting-documents.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { ReadersChoice } from '../threads/readers.js';
import { watchNavigation } from '../ui/page/navigation-guard.js';
import { useTitle } from '../ui/page/title.js';
import { chosenModel } from './composer/chosen-model.js';
import { Composer } from './composer/composer.js';
import { useDraft } from './composer/use-draft.js';
import { preloadMarkdown } from './markdown/rich-text.js';
import { type Draft, retryOnce } from './store/send.js';
import './conversation.css';

const texts = defineTexts('conversation/new-thread-page', {
  back: 'Back to threads',
  title: 'New thread',
  question: 'What should we work on?',
  write: 'Write your first message',
  readers: 'Who can read it:',
  keys: 'Press Enter to send, Shift+Enter for a new line.',
});

export function NewThreadPage() {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const { newThreadsArePrivate } = useViewer();
  // Stored like the draft, so that a private message does not become visible to everyone after a reload.
  const privacy = useDraft('new.privacy');
  const isPrivate = privacy.text === '' ? newThreadsArePrivate : privacy.text === 'private';
  useEffect(preloadMarkdown, []);
  useTitle('Skein');
  const send = async ({ text, files }: Draft) => {
    const attachmentIds = files.map(({ id }) => id);
    const input = {
      text,
      isPrivate,
      attachmentIds,
      ...chosenModel('new'),
      idempotencyKey: newIdempotencyKey(),
    };
    const isStillHere = watchNavigation();
    const outcome = await retryOnce(() => runMutation(createThreadMutation, { input }));
    if (!outcome.ok) return outcome.message;
    privacy.write('');
    if (isStillHere()) navigate(`/threads/${outcome.value.threadId}`, { state: { isNew: true } });
    return null;
  };
  return (
    <>
      <header className="conversation-head only-phone">
        <Link href="/" className="button button-icon" aria-label={t.back}>
          <ArrowLeft />
        </Link>
        <strong>{t.title}</strong>
      </header>
      <div className="new-thread">
        <h1>{t.question}</h1>
        <Composer place="new" placeholder={t.write} isBusy={false} onSend={send} hasFocus />
        <div className="new-thread-options">
          <ReadersChoice
            legend={t.readers}
            isPrivate={isPrivate}
            onChoose={(isChosen) => privacy.write(isChosen ? 'private' : 'shared')}
          />
          <span className="field-hint">{t.keys}</span>
        </div>
      </div>
    </>
  );
}
