/** A request for every outcome of every endpoint, in the words of REST. */
import type { Kind, Target } from '../graphql/visibility/visibility-stage.js';
import type { Request } from './ask-both.js';

type Inputs = Pick<Request, 'parameters' | 'body'>;
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

const inThread: Ask = ({ threadId }) => ({ parameters: { 'thread-id': threadId } });
const onAnswer: Ask = ({ threadId, answerId }) => ({
  parameters: { 'thread-id': threadId, 'message-id': answerId },
});
const onLast: Ask = (target) => ({
  parameters: { 'thread-id': target.threadId, 'message-id': target.lastQuestionId },
});
/** The same with more parameters, or with a body. */
function having(ask: Ask, { parameters, body }: Inputs): Ask {
  return (target) => {
    const asked = ask(target);
    const sent = body ?? asked.body;
    return { parameters: { ...asked.parameters, ...parameters }, ...(sent ? { body: sent } : {}) };
  };
}

const key = (name: string) => ({ parameters: { 'Idempotency-Key': name } });
const send = having(inThread, { body: { text: 'And?' } });
const create: Ask = () => ({ body: { text: 'Hi', name: 'Tea', is_private: true } });
const rate = having(onAnswer, { body: { positive: false, feedback_text: 'Hm' } });

/** A request that would succeed. */
const plain: Record<string, Ask> = {
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
const unknownIds = { 'thread-id': 'thr_00000000000000000000000000' };

/** What a case sends; the plain request of its endpoint where it does not say. */
export function requestOf({ endpoint, ask = plain[endpoint] }: Case, target: Target): Inputs {
  if (!ask) throw new Error(`There is no request for ${endpoint}.`);
  return ask(target);
}

const at = (endpoint: string, outcome: string, more: Partial<Case> = {}): Case => ({ endpoint, outcome, ...more });

const refusedTokens: Case[] = Object.entries(plain).flatMap(([endpoint, ask]) => [
  { endpoint, ask, outcome: '401 missing_token', token: 'none' },
  { endpoint, ask, outcome: '401 invalid_token', token: 'unknown' },
  { endpoint, ask, outcome: '403 insufficient_scope', token: 'powerless' },
]);

const kindsOf = (states: Kind[], rest: Omit<Case, 'on' | 'when'>): Case[] =>
  states.map((on) => ({ ...rest, on, when: on }));

const hidden = (endpoint: string, ask: Ask): Case[] => [
  { endpoint, outcome: '404 not_found', when: 'unknown', ask: having(ask, { parameters: unknownIds }) },
  { endpoint, outcome: '404 not_found', when: 'of another organization', ask, token: 'stranger' },
];

export const cases: Case[] = [
  ...refusedTokens,
  at('getMe', '200'),

  at('listThreads', '200'),
  ...[
    ...[{ limit: 2 }, { limit: 500 }, { owned: true }, { owned: false }, { private: true }, { private: false }],
    ...[{ archived: true }, { q: 'secret' }, { q: 'nothingofthekind' }, { sort_by: 'updated_at', sort_dir: 'asc' }],
    { sort_by: 'created_at', sort_dir: 'asc', limit: 3 },
    ...['2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'].map((updated_since) => ({ updated_since })),
  ].map((parameters) =>
    at('listThreads', '200', { when: JSON.stringify(parameters), ask: () => ({ parameters }) as Inputs }),
  ),
  at('listThreads', '200', {
    when: 'after an item',
    ask: ({ threadId }) => ({ parameters: { after: threadId, limit: 2 } }),
  }),
  at('listThreads', '400 invalid_request', { ask: () => ({ parameters: { limit: 0 } }) }),
  at('listThreads', '400 invalid_cursor', { ask: () => ({ parameters: { after: 'nothing' } }) }),

  at('createThread', '201'),
  at('createThread', '201', { when: 'with its text alone', ask: () => ({ body: { text: 'Hi' } }) }),
  at('createThread', '201', { when: 'without a name', ask: () => ({ body: { text: 'Hi', name: null } }) }),
  at('createThread', '400 invalid_request', { ask: () => ({ body: { text: ' ', name: 'n'.repeat(256) } }) }),
  at('createThread', '409 idempotency_key_reuse', {
    first: having(create, key('again')),
    ask: () => ({ body: { text: 'Else' }, ...key('again') }),
  }),
  at('createThread', '409 idempotency_key_in_use', { ask: having(create, key('held')), heldKey: 'held' }),

  at('getThread', '200', { when: 'public' }),
  ...kindsOf(['archived', 'waiting', 'active', 'error', 'interrupted'], at('getThread', '200')),
  ...hidden('getThread', inThread),

  at('listMessages', '200'),
  ...kindsOf(['waiting', 'error', 'interrupted'], at('listMessages', '200')),
  at('listMessages', '200', { when: 'a page', ask: having(inThread, { parameters: { limit: 1 } }) }),
  at('listMessages', '200', {
    when: 'after an item',
    ask: (target) => ({ parameters: { 'thread-id': target.threadId, after: target.questionId } }),
  }),
  at('listMessages', '200', {
    when: 'after the last item',
    ask: (target) => ({ parameters: { 'thread-id': target.threadId, after: target.answerId } }),
  }),
  ...hidden('listMessages', inThread),
  at('listMessages', '400 invalid_request', { ask: having(inThread, { parameters: { limit: 0 } }) }),
  at('listMessages', '400 invalid_cursor', { ask: having(inThread, { parameters: { after: 'nothing' } }) }),

  at('sendMessage', '201'),
  at('sendMessage', '201', { when: 'again with its key', first: having(send, key('a')), ask: having(send, key('a')) }),
  at('sendMessage', '400 invalid_request', { ask: having(inThread, { body: { text: '' } }) }),
  ...hidden('sendMessage', send),
  ...kindsOf(['waiting', 'active', 'error', 'interrupted'], at('sendMessage', '409 thread_not_ready')),
  at('sendMessage', '409 idempotency_key_reuse', {
    first: having(send, key('b')),
    ask: having(inThread, { ...key('b'), body: { text: 'Else' } }),
  }),
  at('sendMessage', '409 idempotency_key_in_use', { ask: having(send, key('held')), heldKey: 'held' }),

  at('createThread', '429 budget_exceeded', { ask: create, token: 'spent' }),
  at('sendMessage', '429 budget_exceeded', { ask: send, token: 'spent' }),

  at('rateMessage', '204'),
  at('rateMessage', '204', { when: 'without a text', ask: having(onAnswer, { body: { positive: true } }) }),
  at('rateMessage', '400 invalid_request', {
    ask: having(onAnswer, { body: { positive: true, feedback_text: 'n'.repeat(10_001) } }),
  }),
  at('rateMessage', '400 not_an_answer', { ask: having(onLast, { body: { positive: true } }) }),
  ...hidden('rateMessage', rate),

  at('pollResponse', '200'),
  ...kindsOf(['waiting', 'active'], at('pollResponse', '202')),
  at('pollResponse', '404 response_failed', { on: 'error' }),
  at('pollResponse', '404 response_interrupted', { on: 'interrupted' }),
  at('pollResponse', '404 not_found', { when: 'of an answer', ask: onAnswer }),
  ...hidden('pollResponse', onLast),

  at('streamResponse', '200'),
  ...kindsOf(['error', 'interrupted'], at('streamResponse', '200')),
  at('streamResponse', '200', { when: 'restarted', ask: having(onLast, { parameters: { last_event_id: '1-1' } }) }),
  at('streamResponse', '200', { when: 'resumed', ask: having(onLast, { parameters: { last_event_id: '2-4' } }) }),
  at('streamResponse', '204', { ask: having(onLast, { parameters: { last_event_id: '2-end' } }) }),
  at('streamResponse', '404 not_found', { when: 'of an answer', ask: onAnswer }),
  ...hidden('streamResponse', onLast),
];
