/** The answer that is being streamed: the only part of the page that changes with each frame. */
import { useSyncExternalStore } from 'react';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { RichText } from '../markdown/rich-text.js';
import type { LiveAnswer } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { restartNote } from './restart-note.js';
import { StoppedNote } from './stopped-note.js';
import { Thinking } from './thinking.js';

const texts = defineTexts('conversation/messages/live-answer-row', {
  answering: 'Assistant, answering',
  assistant: 'Assistant',
  retrying: withValues('The model is not answering; trying again ({call} of {maxCalls}).'),
  queued: 'The message is queued.',
  busy: 'The assistant is answering.',
});

export function LiveAnswerRow({ live, store }: { live: LiveAnswer; store: ConversationStore }) {
  const t = useTexts(texts);
  const grown = useSyncExternalStore(store.subscribe, store.getLive);
  const { status, text, thinking, isRestarted, retry, failure } = grown ?? live;
  return (
    <article className="message message-assistant" aria-label={t.answering} aria-busy={status !== 'ENDED'}>
      <h2 className="visually-hidden">{t.assistant}</h2>
      <p className="answer-note" role="status">
        {isRestarted && restartNote()}
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
