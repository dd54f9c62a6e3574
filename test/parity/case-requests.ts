/** Requests in the words of REST, about whatever thread they are given. */
import type { Kind, Target } from '../graphql/visibility/visibility-stage.js';
import type { Request } from './ask-both.js';

export type Inputs = Pick<Request, 'parameters' | 'body'>;
/** What to send about a thread. */
export type Ask = (target: Target) => Inputs;

/** Tokens that a case may use. */
export interface Tokens {
  none: undefined;
  owner: string;
  stranger: string;
  unknown: string;
  /** Without any scope. */
  powerless: string;
  /** With a budget of nothing. */
  spent: string;
}

export interface Case {
  endpoint: string;
  /** As in the table. */
  outcome: string;
  /** What tells it from other cases of the same outcome. */
  when?: string;
  /** The thread that it is about; `ready` where it is left out. */
  on?: Kind;
  /** Which request, in the words of REST. */
  ask?: Ask;
  token?: keyof Tokens;
  /** Sent before it by the same transport. */
  first?: Ask;
  /** The key that a transaction holds open meanwhile. */
  heldKey?: string;
}

export const inThread: Ask = ({ threadId }) => ({ parameters: { 'thread-id': threadId } });
export const onAnswer: Ask = ({ threadId, answerId }) => ({
  parameters: { 'thread-id': threadId, 'message-id': answerId },
});
export const onLast: Ask = (target) => ({
  parameters: { 'thread-id': target.threadId, 'message-id': target.lastQuestionId },
});
/** The same with more parameters, or with a body. */
export function having(ask: Ask, { parameters, body }: Inputs): Ask {
  return (target) => {
    const asked = ask(target);
    const sent = body ?? asked.body;
    return { parameters: { ...asked.parameters, ...parameters }, ...(sent ? { body: sent } : {}) };
  };
}

export const key = (name: string) => ({ parameters: { 'Idempotency-Key': name } });
export const send = having(inThread, { body: { text: 'And?' } });
export const create: Ask = () => ({ body: { text: 'Hi', name: 'Tea', is_private: true } });
export const rate = having(onAnswer, { body: { positive: false, feedback_text: 'Hm' } });

/** A request that would succeed. */
export const plain: Record<string, Ask> = {
  getMe: () => ({}),
  listThreads: () => ({}),
  createThread: create,
  getThread: inThread,
  listMessages: inThread,
  sendMessage: send,
  rateMessage: rate,
  pollResponse: onLast,
  streamResponse: onLast,
};

/** In place of those of a thread. */
export const unknownIds = { 'thread-id': 'thr_00000000000000000000000000' };

/** What a case sends; the plain request of its endpoint where it does not say. */
export function requestOf({ endpoint, ask = plain[endpoint] }: Case, target: Target): Inputs {
  if (!ask) throw new Error(`There is no request for ${endpoint}.`);
  return ask(target);
}
