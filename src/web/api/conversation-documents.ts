/** The documents of one conversation: its first request and its live events. */
import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.js';
import { messageFields, messagePage } from './message-documents.js';
import { threadFields } from './thread-documents.js';

export const conversationFields = graphql(
  `
  fragment ConversationFields on Thread {
    ...ThreadFields
    continuedFrom {
      id
      title
    }
    continuedIn {
      id
      title
    }
    beginning: messages(first: 1) {
      edges {
        node {
          id
          role
        }
      }
    }
  }
`,
  [threadFields],
);

export const conversationQuery = graphql(
  `
  query Conversation($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    thread(id: $id) {
      ...ConversationFields
      messages(first: $first, after: $after, last: $last, before: $before, includeInactive: true) {
        ...MessagePage
      }
    }
  }
`,
  [conversationFields, messagePage],
);

export type ConversationThread = NonNullable<ResultOf<typeof conversationQuery>['thread']>;

/** A conversation around one of its messages, and its end. */
export const conversationAroundQuery = graphql(
  `
  query ConversationAround($id: ID!, $messageId: ID!, $position: String!, $around: Int!, $last: Int!) {
    thread(id: $id) {
      ...ConversationFields
      older: messages(last: $around, before: $position, includeInactive: true) {
        ...MessagePage
      }
      newer: messages(first: $around, after: $position, includeInactive: true) {
        ...MessagePage
      }
      messages(last: $last, includeInactive: true) {
        ...MessagePage
      }
    }
    message(threadId: $id, id: $messageId) {
      ...MessageFields
    }
  }
`,
  [conversationFields, messagePage, messageFields],
);

export const threadChangedSubscription = graphql(
  `
  subscription ThreadChanged($id: ID!) {
    threadChanged(id: $id) {
      ...ThreadFields
    }
  }
`,
  [threadFields],
);

export const responseEventsSubscription = graphql(`
  subscription ResponseEvents($messageId: ID!, $after: String) {
    responseEvents(messageId: $messageId, after: $after) {
      __typename
      ... on Positioned {
        cursor
      }
      ... on ResponseStatus {
        status
      }
      ... on ResponseToken {
        token
      }
      ... on ResponseThinking {
        text
      }
      ... on ResponseRetrying {
        call
        maxCalls
        message
      }
      ... on ResponseError {
        code
        message
      }
    }
  }
`);

export type ResponseEvent = ResultOf<typeof responseEventsSubscription>['responseEvents'];
