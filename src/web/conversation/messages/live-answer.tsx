/** What stands around the text of an answer that is being streamed. */
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import type { LiveAnswer } from '../store/conversation-state.js';
import { StoppedNote } from './stopped-note.js';

const texts = defineTexts('conversation/messages/live-answer', {
  retrying: withValues('The model is not answering; trying again ({call} of {maxCalls}).'),
  queued: 'The message is queued.',
  busy: 'The assistant is answering.',
  restarted: 'The answer was interrupted and started again.',
});

/** Why the text that was read is gone. */
export function restartNote(): string {
  return texts.get().restarted;
}

export function BeforeLiveText({ live: { isRestarted } }: { live: LiveAnswer }) {
  return (
    <p className="answer-note" role="status">
      {isRestarted && restartNote()}
    </p>
  );
}

export function AfterLiveText({ live: { status, text, thinking, retry, failure } }: { live: LiveAnswer }) {
  return (
    <>
      {!text && !thinking && status !== 'ENDED' && <Waiting status={status} />}
      <p className="answer-note" role="status">
        {retry && <Retrying retry={retry} />}
      </p>
      {failure?.__typename === 'ResponseInterrupted' && <StoppedNote reason={failure.message} />}
      <div className="message-tools" />
    </>
  );
}

function Retrying({ retry: { call, maxCalls, message } }: { retry: NonNullable<LiveAnswer['retry']> }) {
  const t = useTexts(texts);
  return (
    <>
      {t.retrying({ call, maxCalls })} <bdi>{message}</bdi>
    </>
  );
}

function Waiting({ status }: { status: string }) {
  const t = useTexts(texts);
  return (
    <p className="waiting" role="status">
      <span className="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="visually-hidden">{status === 'QUEUED' ? t.queued : t.busy}</span>
    </p>
  );
}
