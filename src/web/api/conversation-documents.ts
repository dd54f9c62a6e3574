/** The documents of one conversation: its messages and its live events. */
import { gql } from 'urql';
import { threadFields } from './thread-documents.js';
import type { Message, Page, Thread, ThreadLink } from './types.js';

export const messageFields = gql`
  fragment MessageFields on Message {
    id
    role
    active
    createdAt
    replyToId
    contents {
      __typename
      ... on TextBlock {
        text
      }
      ... on ImageBlock {
        attachmentId
      }
      ... on DocumentBlock {
        attachmentId
      }
      ... on UserGetChoiceBlock {
        toolUseId
        question
        choices
      }
    }
    attachments {
      id
      name
      mediaType
      size
    }
    myFeedback {
      positive
      text
    }
    response {
      __typename
      ... on ResponseFailed {
        message
      }
      ... on ResponseInterrupted {
        message
      }
    }
  }
`;

export type ConversationThread = Thread & {
  continuedFrom: ThreadLink | null;
  continuedIn: ThreadLink | null;
  messages: Page<Message>;
  /** The first message that the model still sees: a summary of all before it, where there is one. */
  beginning: { edges: { node: { id: string; role: Message['role'] } }[] };
};

export const conversationQuery = gql<{ thread: ConversationThread }, { id: string; after: string | null }>`
  query Conversation($id: ID!, $after: String) {
    thread(id: $id) {
      ...ThreadFields
      continuedFrom {
        id
        name
      }
      continuedIn {
        id
        name
      }
      messages(first: 200, after: $after, includeInactive: true) {
        edges {
          cursor
          node {
            ...MessageFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
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
  }
  ${threadFields}
  ${messageFields}
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
