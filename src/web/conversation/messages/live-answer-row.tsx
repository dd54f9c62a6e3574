/** The answer that is being streamed: the only part of the page that changes with each frame. */
import { useSyncExternalStore } from 'react';
import { RichText } from '../markdown/rich-text.js';
import type { LiveAnswer, LiveAnswerState } from '../store/live-answer.js';
import { restartNote } from './restart-note.js';
import { StoppedNote } from './stopped-note.js';
import { Thinking } from './thinking.js';

export function LiveAnswerRow({ live }: { live: LiveAnswer }) {
  const { status, text, thinking, isRestarted, retry, failure } = useSyncExternalStore(live.subscribe, live.getState);
  return (
    <article className="message message-assistant" aria-label="Assistant, answering" aria-busy={status !== 'ENDED'}>
      <h2 className="visually-hidden">Assistant</h2>
      <p className="answer-note" role="status">
        {isRestarted && restartNote}
      </p>
      {thinking && <Thinking text={thinking} isOver={text !== ''} />}
      {text && <RichText text={text} isGrowing />}
      {!text && !thinking && status !== 'ENDED' && <Waiting status={status} />}
      <p className="answer-note" role="status">
        {retry && <Retrying retry={retry} />}
      </p>
      {failure?.__typename === 'ResponseInterrupted' && <StoppedNote reason={failure.message} />}
      <div className="message-tools message-tools-empty" />
    </article>
  );
}

function Retrying({ retry: { call, maxCalls, message } }: { retry: NonNullable<LiveAnswerState['retry']> }) {
  return `The model is not answering; trying again (${call} of ${maxCalls}). ${message}`;
}

function Waiting({ status }: { status: string }) {
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
