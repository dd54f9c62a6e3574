/** The documents of one conversation: how it opens, and its live events. */
import { gql } from 'urql';
import { type MessagePage, messagePage, type PageArguments } from './message-documents.js';
import { threadFields } from './thread-documents.js';
import type { Message, Thread, ThreadLink } from './types.js';

export type ConversationThread = Thread & {
  continuedFrom: ThreadLink | null;
  continuedIn: ThreadLink | null;
  messages: MessagePage;
  /** The first message that the model still sees: a summary of all before it, where there is one. */
  beginning: { edges: { node: { id: string; role: Message['role'] } }[] };
};

const conversationFields = gql`
  fragment ConversationFields on Thread {
    ...ThreadFields
    continuedFrom {
      id
      name
    }
    continuedIn {
      id
      name
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
  ${threadFields}
`;

export const conversationQuery = gql<{ thread: ConversationThread }, { id: string } & PageArguments>`
  query Conversation($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    thread(id: $id) {
      ...ConversationFields
      messages(first: $first, after: $after, last: $last, before: $before, includeInactive: true) {
        ...MessagePage
      }
    }
  }
  ${conversationFields}
  ${messagePage}
`;

/** A conversation around one of its messages, and its end. */
export const conversationAroundQuery = gql<
  { thread: ConversationThread & { older: MessagePage; newer: MessagePage }; message: Message },
  { id: string; messageId: string; position: string; around: number; last: number }
>`
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
  ${conversationFields}
  ${messagePage}
`;

export const threadChangedSubscription = gql<{ threadChanged: Thread }, { id: string }>`
  subscription ThreadChanged($id: ID!) {
    threadChanged(id: $id) {
      ...ThreadFields
    }
  }
  ${threadFields}
`;

export type ResponseEvent =
  | { __typename: 'ResponseStatus'; cursor: string; status: string }
  | { __typename: 'ResponseToken'; cursor: string; token: string }
  | { __typename: 'ResponseThinking'; cursor: string; text: string }
  | { __typename: 'ResponseRestarted'; cursor: string }
  | { __typename: 'ResponseError'; cursor: string; code: string; message: string }
  | { __typename: 'ResponseDone'; cursor: string };

export const responseEventsSubscription = gql<
  { responseEvents: ResponseEvent },
  { messageId: string; after: string | null }
>`
  subscription ResponseEvents($messageId: ID!, $after: String) {
    responseEvents(messageId: $messageId, after: $after) {
      __typename
      ... on ResponseStatus {
        cursor
        status
      }
      ... on ResponseToken {
        cursor
        token
      }
      ... on ResponseThinking {
        cursor
        text
      }
      ... on ResponseRestarted {
        cursor
      }
      ... on ResponseError {
        cursor
        code
        message
      }
      ... on ResponseDone {
        cursor
      }
    }
  }
`;
