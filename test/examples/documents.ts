/** What a chat asks of the service: pages of threads, sending a message, the tokens of its response, the live list. */
import { initGraphQLTada, type ResultOf } from 'gql.tada';
import type { introspection } from '../../src/graphql/document-types/generated/schema-types.js';

/**
 * `graphql('query …')` with the types of its variables and of its result, from the schema alone: no code is generated for a
 * document. In your project: `npm i gql.tada`, and `gql.tada generate-output`, which writes the types of the schema once.
 */
const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();

export const ThreadsPage = graphql(`
  query ThreadsPage($first: Int!, $after: String) {
    threads(first: $first, after: $after) {
      edges { node { id name state } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

// The key makes it safe to send the same request again, where its answer was lost: it counts once.
export const SendMessage = graphql(`
  mutation SendMessage($threadId: ID!, $text: String!, $key: String!) {
    sendMessage(input: { threadId: $threadId, text: $text, idempotencyKey: $key }) {
      __typename
      ... on PostedMessage { messageId }
      ... on ThreadNotReadyError { state message }
      ... on InvalidInputError { problems { field message } }
      ... on NotFoundError { message }
      ... on IdempotencyKeyInUseError { message }
      ... on IdempotencyKeyReusedError { message }
      ... on BudgetExceededError { message }
    }
  }
`);

// Ask every member for its cursor: it is what you come back with.
export const ResponseEvents = graphql(`
  subscription ResponseEvents($messageId: ID!, $after: String) {
    responseEvents(messageId: $messageId, after: $after) {
      __typename
      ... on ResponseStatus { cursor status }
      ... on ResponseThinking { cursor text }
      ... on ResponseToken { cursor token }
      ... on ResponseRestarted { cursor }
      ... on ResponseRetrying { cursor message }
      ... on ResponseError { cursor code message }
      ... on ResponseDone { cursor }
    }
  }
`);

export const ThreadsChanged = graphql(`
  subscription ThreadsChanged($after: String) {
    threadsChanged(after: $after) {
      __typename
      ... on ThreadsCaughtUp { cursor }
      ... on ThreadUpserted { cursor thread { id name state } }
      ... on ThreadHidden { cursor threadId }
    }
  }
`);

/** A result as a client keeps it: to be read only. */
type Kept<Value> = Value extends object ? { readonly [Key in keyof Value]: Kept<Value[Key]> } : Value;

export type Page = Kept<ResultOf<typeof ThreadsPage>>['threads'];
export type SendResult = Kept<ResultOf<typeof SendMessage>>['sendMessage'];
export type ResponseEvent = Kept<ResultOf<typeof ResponseEvents>>['responseEvents'];
export type ThreadsChange = Kept<ResultOf<typeof ThreadsChanged>>['threadsChanged'];
