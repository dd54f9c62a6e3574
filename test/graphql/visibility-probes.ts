/** What each root field gives away of somebody's thread, and some fields below, and how to see it in a result. */
import type { GraphQLResult } from '../support/graphql-client.js';
import type { Person } from '../support/service.js';

export interface Target {
  threadId: string;
  /** The user message, and the answer to it. */
  messageId: string;
  answerId: string;
  owner: Person;
  /** Id of an access token of the owner. */
  tokenId: string;
}

/** What a caller gets of somebody's thread: it, or the answer that there is no such thing. */
export type Seen = 'seen' | 'hidden';

export interface Probe {
  query: string;
  variables: (target: Target) => Record<string, unknown>;
  /** What the result shows; throws for a result that is neither. */
  seen: (result: GraphQLResult, target: Target) => Seen;
  /** True where only the owner sees the thing, whatever the thread is. */
  ownerOnly?: boolean;
}

/** These give away nothing of a thread or a user that already exists, except of the caller. */
export const ownOnly = new Set(['me', 'createThread', 'createAccessToken']);

const byError = (field: string) => (result: GraphQLResult) => {
  if (result.data?.[field]) return 'seen';
  if (result.errors?.[0]?.extensions?.['code'] === 'NOT_FOUND') return 'hidden';
  throw new Error(`Neither seen nor hidden: ${JSON.stringify(result)}`);
};

const byType = (field: string) => (result: GraphQLResult) => {
  const { __typename } = (result.data?.[field] ?? {}) as { __typename?: string };
  if (__typename === undefined) throw new Error(`No outcome: ${JSON.stringify(result)}`);
  return __typename === 'NotFoundError' ? 'hidden' : 'seen';
};

export const probes: Record<string, Probe> = {
  thread: {
    query: 'query ($threadId: ID!) { thread(id: $threadId) { id messages { edges { node { id } } } } }',
    variables: ({ threadId }) => ({ threadId }),
    seen: byError('thread'),
  },
  threads: {
    query: '{ threads(first: 200, filter: {archived: true}) { edges { node { id } } } }',
    variables: () => ({}),
    seen: (result, { threadId }) => (JSON.stringify(result).includes(threadId) ? 'seen' : 'hidden'),
  },
  'thread › history': {
    query: 'query ($threadId: ID!) { thread(id: $threadId) { id history { what } } }',
    variables: ({ threadId }) => ({ threadId }),
    seen: ({ data }) => ((data?.['thread'] as { history: unknown } | null)?.history ? 'seen' : 'hidden'),
    ownerOnly: true,
  },
  message: {
    query: 'query ($threadId: ID!, $messageId: ID!) { message(threadId: $threadId, id: $messageId) { id } }',
    variables: ({ threadId, messageId }) => ({ threadId, messageId }),
    seen: byError('message'),
  },
  response: {
    query:
      'query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) { __typename } }',
    variables: ({ threadId, messageId }) => ({ threadId, messageId }),
    seen: byError('response'),
  },
  responseEvents: {
    query: 'subscription ($messageId: ID!) { responseEvents(messageId: $messageId) { __typename } }',
    variables: ({ messageId }) => ({ messageId }),
    seen: byError('responseEvents'),
  },
  sendMessage: {
    query: 'mutation ($threadId: ID!) { sendMessage(input: {threadId: $threadId, text: "And?"}) { __typename } }',
    variables: ({ threadId }) => ({ threadId }),
    seen: byType('sendMessage'),
  },
  stopResponse: {
    query: 'mutation ($messageId: ID!) { stopResponse(messageId: $messageId) { __typename } }',
    variables: ({ messageId }) => ({ messageId }),
    seen: byType('stopResponse'),
  },
  resumeThread: {
    query: 'mutation ($threadId: ID!) { resumeThread(id: $threadId) { __typename } }',
    variables: ({ threadId }) => ({ threadId }),
    seen: byType('resumeThread'),
  },
  submitFeedback: {
    query:
      'mutation ($threadId: ID!, $answerId: ID!) { submitFeedback(input: {threadId: $threadId, messageId: $answerId, positive: true}) { __typename } }',
    variables: ({ threadId, answerId }) => ({ threadId, answerId }),
    seen: byType('submitFeedback'),
  },
  accessTokens: {
    query: '{ accessTokens { id } }',
    variables: () => ({}),
    seen: (result, { tokenId }) => (JSON.stringify(result).includes(tokenId) ? 'seen' : 'hidden'),
    ownerOnly: true,
  },
  revokeAccessToken: {
    query: 'mutation ($tokenId: ID!) { revokeAccessToken(id: $tokenId) { __typename } }',
    variables: ({ tokenId }) => ({ tokenId }),
    seen: byType('revokeAccessToken'),
    ownerOnly: true,
  },
};
