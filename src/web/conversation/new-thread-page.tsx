/** Starts a thread with its first message and its visibility. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { runMutation } from '../api/client.js';
import { newIdempotencyKey } from '../api/idempotency-key.js';
import { createThreadMutation } from '../api/posting-documents.js';
import { watchNavigation } from '../ui/page/navigation-guard.js';
import { useTitle } from '../ui/page/title.js';
import { Composer } from './composer/composer.js';
import { useDraft } from './composer/use-draft.js';
import { preloadMarkdown } from './markdown/rich-text.js';
import { type Draft, retryOnce } from './store/send.js';
import './conversation.css';

const longestName = 60;

export function NewThreadPage() {
  const [, navigate] = useLocation();
  // Stored like the draft, so that a private message does not become visible to everyone after a reload.
  const privacy = useDraft('new.privacy');
  const isPrivate = privacy.text !== '';
  useEffect(preloadMarkdown, []);
  useTitle('Skein');
  const send = async ({ text, files }: Draft) => {
    const attachmentIds = files.map(({ id }) => id);
    const input = { text, name: nameOf(text), isPrivate, attachmentIds, idempotencyKey: newIdempotencyKey() };
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
        <Link href="/" className="button button-icon" aria-label="Back to threads">
          <ArrowLeft />
        </Link>
        <strong>New thread</strong>
      </header>
      <div className="new-thread">
        <h1>What should we work on?</h1>
        <Composer place="new" placeholder="Write your first message" isBusy={false} onSend={send} hasFocus />
        <div className="new-thread-options">
          <label>
            <input
              type="checkbox"
              checked={isPrivate}
              onChange={({ target }) => privacy.write(target.checked ? 'private' : '')}
            />
            Private: only you can see it
          </label>
          <span className="field-hint">Press Enter to send, Shift+Enter for a new line.</span>
        </div>
      </div>
    </>
  );
}

/** The start of the first line, cut after a whole word. */
function nameOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  const characters = Array.from(line);
  if (characters.length <= longestName) return line;
  const short = characters.slice(0, longestName).join('');
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), longestName / 2))}…`;
}
