/** The events that viewers of a response receive, and the row that they are derived from. */
import { formatPosition, type Position } from '../../tokens/log/position.js';
import type { RetryNote } from '../protocol/note-retry.js';

export type ResponseStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted';

/** The row of a response, as one viewer may see it. */
export interface ResponseSnapshot {
  status: ResponseStatus;
  /** The attempt of the status and the text. It must not change once the response has ended. */
  epoch: number;
  /** Text of the response's stored messages, joined; '' if there are none, or if it was not requested. */
  text: string;
  error: { code: string; message: string } | null;
  /** That the model is called once more in this attempt; null if it was not. */
  retry: RetryNote | null;
}

/** `cursor` is a position (see tokens/position.ts): a viewer who sends it later resumes after this event. */
export type ResponseEvent =
  | { type: 'status'; cursor: string; status: ResponseStatus }
  | { type: 'token'; cursor: string; text: string }
  | { type: 'thinking'; cursor: string; text: string }
  | { type: 'restarted'; cursor: string }
  | ({ type: 'retrying'; cursor: string } & Omit<RetryNote, 'wasSeen'>)
  | { type: 'error'; cursor: string; code: string; message: string }
  | { type: 'done'; cursor: string };

/** Whether the response has ended. */
export function isOver(status: ResponseStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Whether the position is after the last event of this outcome. */
export function isEndOf({ epoch, status }: ResponseSnapshot, position: Position | null): boolean {
  return position?.text === 'end' && position.epoch === epoch && isOver(status);
}

/** The last event of a response that is over. */
export function outcomeOf({ epoch, status, error }: ResponseSnapshot): ResponseEvent {
  const cursor = formatPosition({ epoch, text: 'end', thinking: 0 });
  if (status === 'succeeded') return { type: 'done', cursor };
  if (status === 'interrupted') {
    return {
      type: 'error',
      cursor,
      code: 'response_interrupted',
      message: error?.message ?? 'The response was stopped.',
    };
  }
  return {
    type: 'error',
    cursor,
    code: error?.code ?? 'response_failed',
    message: error?.message ?? 'The response could not be generated.',
  };
}
