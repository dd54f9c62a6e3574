/**
 * Every endpoint of REST and the operation of GraphQL that is its counterpart: where each parameter goes, and what each
 * outcome is called there.
 */

import { type GraphQLNamedType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import { type RootField, rootFields, wholeOperation, wholeSelection } from '../graphql/limits/whole-selection.js';

export interface EndpointCounterpart {
  /** `mutation.sendMessage` */
  root: string;
  /** Each parameter of the path, the query and the headers, and the path of the variable that it becomes. */
  parameters: Record<string, string>;
  /** Where the variables go; without it, each is the argument of its name. */
  query?: string;
  /** Where the value is, below the root field. */
  value?: string;
  /** The body goes into `input`. */
  body?: string;
  /** Status and code of the problem; and the type, or the code of the error. */
  outcomes: Record<string, string>;
  /** Members of the union that this endpoint does not come to, and why. */
  graphqlOnly?: Record<string, string>;
  /** Arguments that REST lacks, and why. */
  argumentsGraphqlOnly?: Record<string, string>;
}

const everywhere = {
  '401 missing_token': 'UNAUTHENTICATED missing',
  '401 invalid_token': 'UNAUTHENTICATED invalid',
  '403 insufficient_scope': 'MISSING_SCOPE',
};
const idempotency = {
  '409 idempotency_key_reuse': 'IdempotencyKeyReusedError',
  '409 idempotency_key_in_use': 'IdempotencyKeyInUseError',
};
const paid = { '429 budget_exceeded': 'BudgetExceededError' };
const where = { 'thread-id': 'threadId', 'message-id': 'messageId' };

/** Headers of requests that have no counterpart of their own, and why. */
export const transportParameters: Record<string, string> = {
  Prefer: 'GraphQL refuses what it does not know anyway',
  'X-Request-Id': 'the same header',
  'Last-Event-ID': 'the same as `last_event_id`',
};

/** Statuses of what every request can come to before or beside its outcome. */
export const transportStatuses = ['400', '408', '413', '415', '429', '500', '503', 'default'];

function typeNamed(name: string): GraphQLNamedType {
  const found = schema.getType(name);
  if (!found) throw new Error(`GraphQL has no ${name}.`);
  return found;
}

const selectionOf = (name: string) => wholeSelection(typeNamed(name));

/** With its lists, a page of fifty threads would be more than the limit of items allows. */
const plainThread = `${wholeSelection(typeNamed('Thread'), [typeNamed('Thread')])} owner { ${selectionOf('ThreadOwner')} }`;

export const endpoints: Record<string, EndpointCounterpart> = {
  getMe: { root: 'query.me', parameters: {}, outcomes: { '200': 'Identity', ...everywhere } },
  listThreads: {
    root: 'query.threads',
    parameters: {
      ...{ owned: 'filter.owned', private: 'filter.private', archived: 'filter.archived', q: 'filter.q' },
      ...{ updated_since: 'filter.updatedSince', sort_by: 'orderBy.field', sort_dir: 'orderBy.direction' },
      ...{ limit: 'first', after: 'after' },
    },
    query: `query ($first: Int, $after: String, $filter: ThreadFilter, $orderBy: ThreadOrder) {
      threads(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { __typename
        edges { node { ${plainThread} } } endId pageInfo { ${selectionOf('PageInfo')} } } }`,
    argumentsGraphqlOnly: {
      remember: 'REST always remembers: it has no other cursors than ids',
      'filter.pinned': 'REST has no pins',
      'filter.tag': 'REST has no tags',
      'filter.ownerId': 'REST has `owned` alone, which tells own threads from those of others',
      'filter.onlyArchived': 'REST has `archived` alone, which adds archived threads',
    },
    outcomes: {
      '200': 'ThreadConnection',
      '400 invalid_request': 'INVALID_INPUT',
      '400 invalid_cursor': 'INVALID_CURSOR',
      ...everywhere,
    },
  },
  createThread: {
    root: 'mutation.createThread',
    parameters: { 'Idempotency-Key': 'input.idempotencyKey' },
    body: 'NewThread',
    outcomes: {
      '201': 'PostedMessage',
      '400 invalid_request': 'InvalidInputError',
      ...idempotency,
      ...paid,
      ...everywhere,
    },
  },
  getThread: {
    root: 'query.thread',
    parameters: { 'thread-id': 'id' },
    outcomes: { '200': 'Thread', '404 not_found': 'NOT_FOUND', ...everywhere },
  },
  listMessages: {
    root: 'query.thread',
    parameters: { 'thread-id': 'id', limit: 'first', after: 'after' },
    query: `query ($id: ID!, $first: Int, $after: String) {
      thread(id: $id) { messages(first: $first, after: $after) { ${selectionOf('MessageConnection')} } } }`,
    value: 'messages',
    argumentsGraphqlOnly: {
      includeInactive: 'REST lists active messages alone',
      last: 'REST pages forwards alone',
      before: 'REST pages forwards alone',
    },
    outcomes: {
      '200': 'MessageConnection',
      '404 not_found': 'NOT_FOUND',
      '400 invalid_request': 'INVALID_INPUT',
      '400 invalid_cursor': 'INVALID_CURSOR',
      ...everywhere,
    },
  },
  sendMessage: {
    root: 'mutation.sendMessage',
    parameters: { 'thread-id': 'input.threadId', 'Idempotency-Key': 'input.idempotencyKey' },
    body: 'NewMessage',
    outcomes: {
      '201': 'PostedMessage',
      '400 invalid_request': 'InvalidInputError',
      '404 not_found': 'NotFoundError',
      '409 thread_not_ready': 'ThreadNotReadyError',
      ...idempotency,
      ...paid,
      ...everywhere,
    },
  },
  rateMessage: {
    root: 'mutation.submitFeedback',
    parameters: { 'thread-id': 'input.threadId', 'message-id': 'input.messageId' },
    body: 'Feedback',
    outcomes: {
      '204': 'Feedback',
      '400 invalid_request': 'InvalidInputError',
      '400 not_an_answer': 'NotAnAnswerError',
      '404 not_found': 'NotFoundError',
      ...everywhere,
    },
  },
  pollResponse: {
    root: 'query.response',
    parameters: where,
    outcomes: {
      '200': 'ResponseComplete',
      '202': 'ResponseProcessing',
      '404 not_found': 'NOT_FOUND',
      '404 response_failed': 'ResponseFailed',
      '404 response_interrupted': 'ResponseInterrupted',
      ...everywhere,
    },
  },
  streamResponse: {
    root: 'subscription.responseEvents',
    parameters: { ...where, last_event_id: 'after' },
    argumentsGraphqlOnly: { thinking: 'left out (specification, Events, rule 2)' },
    outcomes: { '200': 'ResponseStatus', '204': 'no event at all', '404 not_found': 'NOT_FOUND', ...everywhere },
    graphqlOnly: {
      ...{ ResponseToken: 'an event', ResponseThinking: 'an event', ResponseRestarted: 'an event' },
      ResponseRetrying: 'an event',
      ...{ ResponseError: 'an event', ResponseDone: 'an event' },
    },
  },
};

function rootOf({ root }: EndpointCounterpart): RootField {
  const found = rootFields.find(({ operation, name }) => `${operation}.${name}` === root);
  if (!found) throw new Error(`GraphQL has no ${root}.`);
  return found;
}

/** The operation for these variables, which selects everything. */
export function operationOf(endpoint: EndpointCounterpart, variables: Record<string, unknown>): string {
  return endpoint.query ?? wholeOperation(rootOf(endpoint), Object.keys(variables));
}

/** The type of the value, or the names of the members of its union. */
export function typesOf(endpoint: EndpointCounterpart): string[] {
  const type = getNamedType(rootOf(endpoint).field.type);
  return 'getTypes' in type ? type.getTypes().map(({ name }) => name) : [type.name];
}

/** The arguments that there are, those within an input object of filters each by itself. */
export function argumentsOf(endpoint: EndpointCounterpart): string[] {
  const { field } = rootOf(endpoint);
  const type = getNamedType(field.type);
  const nested = endpoint.value && isObjectType(type) ? type.getFields()[endpoint.value]?.args : undefined;
  return [...field.args, ...(nested ?? [])].flatMap((argument) => {
    const input = getNamedType(argument.type);
    if (!isInputObjectType(input)) return [argument.name];
    return Object.keys(input.getFields()).map((name) => `${argument.name}.${name}`);
  });
}
