/** The documents of messages: some of them that follow each other, and the summary that took the place of some. */
import { gql } from 'urql';
import type { Message } from './types.js';

const messageFields = gql`
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

/** Some messages that follow each other, oldest first. */
export interface MessagePage {
  edges: { cursor: string; node: Message }[];
  pageInfo: { hasPreviousPage: boolean; hasNextPage: boolean };
}

export const messagePage = gql`
  fragment MessagePage on MessageConnection {
    edges {
      cursor
      node {
        ...MessageFields
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
    }
  }
  ${messageFields}
`;

/** Which messages: the first of those after a cursor, or the last, of those before a cursor where there is one. */
export type PageArguments = { first: number; after: string } | { last: number; before?: string };

export const messagesQuery = gql<{ thread: { messages: MessagePage } }, { id: string } & PageArguments>`
  query Messages($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    thread(id: $id) {
      messages(first: $first, after: $after, last: $last, before: $before, includeInactive: true) {
        ...MessagePage
      }
    }
  }
  ${messagePage}
`;

/** A summary, and the last of the messages that it replaced. */
export const summaryQuery = gql<
  { message: Message; thread: { replaced: { edges: { node: { id: string; createdAt: string } }[] } } },
  { id: string; messageId: string; position: string }
>`
  query Summary($id: ID!, $messageId: ID!, $position: String!) {
    message(threadId: $id, id: $messageId) {
      ...MessageFields
    }
    thread(id: $id) {
      replaced: messages(last: 1, before: $position, includeInactive: true) {
        edges {
          node {
            id
            createdAt
          }
        }
      }
    }
  }
  ${messageFields}
`;
