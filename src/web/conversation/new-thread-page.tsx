/** Where a thread begins: a first message, and who shall see it. */
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { change } from '../api/client.js';
import { createThreadMutation } from '../api/posting-documents.js';
import { Icon } from '../ui/icon.js';
import { randomKey } from '../ui/random-key.js';
import { useTitle } from '../ui/title.js';
import { Composer } from './composer.js';
import { preloadMarkdown } from './rich-text.js';
import { again, type Draft } from './send.js';
import './conversation.css';

const longestName = 60;

export function NewThreadPage() {
  const [, navigate] = useLocation();
  const [isPrivate, setPrivate] = useState(false);
  useEffect(preloadMarkdown, []);
  useTitle('Skein');
  const send = async ({ text, files }: Draft) => {
    const attachmentIds = files.map(({ id }) => id);
    const input = { text, name: nameOf(text), isPrivate, attachmentIds, idempotencyKey: randomKey() };
    const outcome = await again(() => change(createThreadMutation, { input }));
    if (!outcome.ok) return outcome.message;
    navigate(`/threads/${outcome.value.threadId}`, { state: { isNew: true } });
    return null;
  };
  return (
    <>
      <header className="conversation-head only-phone">
        <Link href="/" className="button button-icon" aria-label="Back to the threads">
          <Icon name="back" />
        </Link>
        <h2>New thread</h2>
      </header>
      <div className="new-thread">
        <h2>What shall we work on?</h2>
        <Composer place="new" placeholder="Write the first message" isBusy={false} onSend={send} hasFocus />
        <div className="new-thread-options">
          <label>
            <input type="checkbox" checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
            Private: only you see it
          </label>
          <span className="field-hint">Enter sends, Shift+Enter begins a new line.</span>
        </div>
      </div>
    </>
  );
}

/** The beginning of the first line, up to the end of a word. */
function nameOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  const characters = Array.from(line);
  if (characters.length <= longestName) return line;
  const short = characters.slice(0, longestName).join('');
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), longestName / 2))}…`;
}
