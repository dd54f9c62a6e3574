/** The documents of messages: a page of them, and a summary that replaced some. */
import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.js';

export const messageFields = graphql(`
  fragment MessageFields on Message {
    id
    role
    author {
      id
      name
    }
    active
    createdAt
    replyToId
    stopReason
    isTruncated
    hasReasoning
    variants {
      position
      count
      previousId
      nextId
    }
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
`);

/** A page of messages, oldest first. */
export const messagePage = graphql(
  `
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
`,
  [messageFields],
);

export type MessagePage = ResultOf<typeof messagePage>;

export const messagesQuery = graphql(
  `
  query Messages($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    thread(id: $id) {
      branchVersion
      messages(first: $first, after: $after, last: $last, before: $before, includeInactive: true) {
        ...MessagePage
      }
    }
  }
`,
  [messagePage],
);

export const reasoningQuery = graphql(`
  query Reasoning($threadId: ID!, $id: ID!) {
    message(threadId: $threadId, id: $id) {
      reasoning
    }
  }
`);

/** A summary and the last message that it replaced. */
export const summaryQuery = graphql(
  `
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
`,
  [messageFields],
);
