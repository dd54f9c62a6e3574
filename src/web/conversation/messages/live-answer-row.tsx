/** The answer that is being streamed: the only part of the page that changes with each frame. */
import { useSyncExternalStore } from 'react';
import { RichText } from '../markdown/rich-text.js';
import type { LiveAnswer } from '../store/live-answer.js';
import { Thinking } from './thinking.js';

export function LiveAnswerRow({ live }: { live: LiveAnswer }) {
  const { status, text, thinking } = useSyncExternalStore(live.subscribe, live.getState);
  return (
    <article className="message message-assistant" aria-label="Assistant, answering" aria-busy={status !== 'ENDED'}>
      <h2 className="visually-hidden">Assistant</h2>
      {thinking && <Thinking text={thinking} isOver={text !== ''} />}
      {text ? <RichText text={text} isGrowing /> : <Waiting status={status} isThinking={thinking !== ''} />}
      <div className="message-tools message-tools-empty" />
    </article>
  );
}

function Waiting({ status, isThinking }: { status: string; isThinking: boolean }) {
  if (isThinking) return null;
  return (
    <p className="waiting" role="status">
      <span className="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="visually-hidden">
        {status === 'QUEUED' ? 'The message is queued.' : 'The assistant is answering.'}
      </span>
    </p>
  );
}
