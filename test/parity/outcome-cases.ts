/** A request for every outcome of every endpoint. */
import type { Kind } from '../graphql/visibility/visibility-stage.js';
import {
  type Ask,
  type Case,
  create,
  having,
  type Inputs,
  inThread,
  key,
  onAnswer,
  onLast,
  plain,
  rate,
  send,
  unknownIds,
} from './case-requests.js';

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
  { endpoint: 'getMe', outcome: '200' },

  { endpoint: 'listThreads', outcome: '200' },
  ...[
    { limit: 2 },
    { limit: 500 },
    { owned: true },
    { owned: false },
    { private: true },
    { private: false },
    { archived: true },
    { sort_by: 'created_at', sort_dir: 'asc', limit: 3 },
    { sort_by: 'updated_at', sort_dir: 'asc' },
    { q: 'secret' },
    { q: 'nothingofthekind' },
    { updated_since: '2026-01-01T00:00:00.000Z' },
    { updated_since: '2999-01-01T00:00:00.000Z' },
  ].map((parameters) => ({
    ...{ endpoint: 'listThreads', outcome: '200', when: JSON.stringify(parameters) },
    ask: () => ({ parameters }) as Inputs,
  })),
  {
    ...{ endpoint: 'listThreads', outcome: '200', when: 'after an item' },
    ask: ({ threadId }) => ({ parameters: { after: threadId, limit: 2 } }),
  },
  { endpoint: 'listThreads', outcome: '400 invalid_request', ask: () => ({ parameters: { limit: 0 } }) },
  { endpoint: 'listThreads', outcome: '400 invalid_cursor', ask: () => ({ parameters: { after: 'nothing' } }) },

  { endpoint: 'createThread', outcome: '201' },
  { endpoint: 'createThread', outcome: '201', when: 'with its text alone', ask: () => ({ body: { text: 'Hi' } }) },
  {
    endpoint: 'createThread',
    outcome: '201',
    when: 'without a name',
    ask: () => ({ body: { text: 'Hi', name: null } }),
  },
  {
    endpoint: 'createThread',
    outcome: '400 invalid_request',
    ask: () => ({ body: { text: ' ', name: 'n'.repeat(256) } }),
  },
  {
    ...{ endpoint: 'createThread', outcome: '409 idempotency_key_reuse' },
    first: having(create, key('again')),
    ask: () => ({ body: { text: 'Else' }, ...key('again') }),
  },
  {
    endpoint: 'createThread',
    outcome: '409 idempotency_key_in_use',
    ask: having(create, key('held')),
    heldKey: 'held',
  },

  { endpoint: 'getThread', outcome: '200', when: 'public' },
  ...kindsOf(['archived', 'waiting', 'active', 'error', 'interrupted'], { endpoint: 'getThread', outcome: '200' }),
  ...hidden('getThread', inThread),

  { endpoint: 'listMessages', outcome: '200' },
  ...kindsOf(['waiting', 'error', 'interrupted'], { endpoint: 'listMessages', outcome: '200' }),
  { endpoint: 'listMessages', outcome: '200', when: 'a page', ask: having(inThread, { parameters: { limit: 1 } }) },
  {
    ...{ endpoint: 'listMessages', outcome: '200', when: 'after an item' },
    ask: (target) => ({ parameters: { 'thread-id': target.threadId, after: target.questionId } }),
  },
  {
    ...{ endpoint: 'listMessages', outcome: '200', when: 'after the last item' },
    ask: (target) => ({ parameters: { 'thread-id': target.threadId, after: target.answerId } }),
  },
  ...hidden('listMessages', inThread),
  { endpoint: 'listMessages', outcome: '400 invalid_request', ask: having(inThread, { parameters: { limit: 0 } }) },
  {
    endpoint: 'listMessages',
    outcome: '400 invalid_cursor',
    ask: having(inThread, { parameters: { after: 'nothing' } }),
  },

  { endpoint: 'sendMessage', outcome: '201' },
  {
    endpoint: 'sendMessage',
    outcome: '201',
    when: 'again with its key',
    first: having(send, key('a')),
    ask: having(send, key('a')),
  },
  { endpoint: 'sendMessage', outcome: '400 invalid_request', ask: having(inThread, { body: { text: '' } }) },
  ...hidden('sendMessage', send),
  ...kindsOf(['waiting', 'active', 'error', 'interrupted'], {
    endpoint: 'sendMessage',
    outcome: '409 thread_not_ready',
  }),
  {
    ...{ endpoint: 'sendMessage', outcome: '409 idempotency_key_reuse' },
    first: having(send, key('b')),
    ask: having(inThread, { ...key('b'), body: { text: 'Else' } }),
  },
  { endpoint: 'sendMessage', outcome: '409 idempotency_key_in_use', ask: having(send, key('held')), heldKey: 'held' },

  { endpoint: 'createThread', outcome: '429 budget_exceeded', ask: create, token: 'spent' },
  { endpoint: 'sendMessage', outcome: '429 budget_exceeded', ask: send, token: 'spent' },

  { endpoint: 'rateMessage', outcome: '204' },
  {
    endpoint: 'rateMessage',
    outcome: '204',
    when: 'without a text',
    ask: having(onAnswer, { body: { positive: true } }),
  },
  {
    ...{ endpoint: 'rateMessage', outcome: '400 invalid_request' },
    ask: having(onAnswer, { body: { positive: true, feedback_text: 'n'.repeat(10_001) } }),
  },
  { endpoint: 'rateMessage', outcome: '400 not_an_answer', ask: having(onLast, { body: { positive: true } }) },
  ...hidden('rateMessage', rate),

  { endpoint: 'pollResponse', outcome: '200' },
  ...kindsOf(['waiting', 'active'], { endpoint: 'pollResponse', outcome: '202' }),
  { endpoint: 'pollResponse', outcome: '404 response_failed', on: 'error' },
  { endpoint: 'pollResponse', outcome: '404 response_interrupted', on: 'interrupted' },
  { endpoint: 'pollResponse', outcome: '404 not_found', when: 'of an answer', ask: onAnswer },
  ...hidden('pollResponse', onLast),

  { endpoint: 'streamResponse', outcome: '200' },
  ...kindsOf(['error', 'interrupted'], { endpoint: 'streamResponse', outcome: '200' }),
  {
    ...{ endpoint: 'streamResponse', outcome: '200', when: 'restarted' },
    ask: having(onLast, { parameters: { last_event_id: '1-1' } }),
  },
  {
    endpoint: 'streamResponse',
    outcome: '200',
    when: 'resumed',
    ask: having(onLast, { parameters: { last_event_id: '2-4' } }),
  },
  { endpoint: 'streamResponse', outcome: '204', ask: having(onLast, { parameters: { last_event_id: '2-end' } }) },
  { endpoint: 'streamResponse', outcome: '404 not_found', when: 'of an answer', ask: onAnswer },
  ...hidden('streamResponse', onLast),
];
