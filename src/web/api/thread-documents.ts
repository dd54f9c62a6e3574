/** The documents of the list of threads, and the mutations of a thread. */
import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.js';

export const threadFields = graphql(`
  fragment ThreadFields on Thread {
    id
    name
    title
    state
    isPrivate
    archived
    branchVersion
    isUnread
    isPinned
    tags
    createdAt
    updatedAt
    activeAt
    owner {
      id
      name
    }
    continuedFrom {
      id
    }
  }
`);

export const refusalFields = graphql(`
  fragment RefusalFields on Error {
    code
    message
    ... on InvalidInputError {
      problems {
        field
        message
      }
    }
  }
`);

export const threadsQuery = graphql(
  `
  query Threads($filter: ThreadFilter, $after: String, $first: Int, $pins: ThreadFilter, $mostPins: Int, $withPins: Boolean! = false) {
    threads(
      filter: $filter
      after: $after
      first: $first
      orderBy: { field: ACTIVE_AT, direction: DESC }
    ) {
      edges {
        cursor
        node {
          ...ThreadFields
        }
        match {
          parts {
            text
            isHit
          }
          message {
            id
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    pins: threads(filter: $pins, first: $mostPins, orderBy: { field: ACTIVE_AT, direction: DESC }) @include(if: $withPins) {
      edges {
        node {
          ...ThreadFields
        }
      }
    }
  }
`,
  [threadFields],
);

export type ThreadPage = ResultOf<typeof threadsQuery>['threads'];
export type ThreadEdge = ThreadPage['edges'][number];

/** A search hit: in a message, or in the name if there is none. */
export type ThreadMatch = NonNullable<ThreadEdge['match']>;

export const threadsChangedSubscription = graphql(
  `
  subscription ThreadsChanged($after: String) {
    threadsChanged(after: $after) {
      __typename
      ... on ThreadUpserted {
        cursor
        thread {
          ...ThreadFields
        }
      }
      ... on ThreadHidden {
        cursor
        threadId
      }
      ... on ThreadsCaughtUp {
        cursor
      }
    }
  }
`,
  [threadFields],
);

export type ThreadsChange = ResultOf<typeof threadsChangedSubscription>['threadsChanged'];

export const renameMutation = graphql(
  `
  mutation RenameThread($id: ID!, $name: String) {
    outcome: renameThread(input: { id: $id, name: $name }) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const archiveMutation = graphql(
  `
  mutation ArchiveThread($id: ID!) {
    outcome: archiveThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const unarchiveMutation = graphql(
  `
  mutation UnarchiveThread($id: ID!) {
    outcome: unarchiveThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const deleteMutation = graphql(
  `
  mutation DeleteThread($id: ID!) {
    outcome: deleteThread(id: $id) {
      __typename
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const archiveManyMutation = graphql(
  `
  mutation ArchiveThreads($ids: [ID!]!) {
    outcome: archiveThreads(ids: $ids) {
      __typename
      ... on ChangedThreads {
        ids
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const unarchiveManyMutation = graphql(
  `
  mutation UnarchiveThreads($ids: [ID!]!) {
    outcome: unarchiveThreads(ids: $ids) {
      __typename
      ... on ChangedThreads {
        ids
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const privacyMutation = graphql(
  `
  mutation SetThreadPrivacy($id: ID!, $isPrivate: Boolean!) {
    outcome: setThreadPrivacy(input: { id: $id, isPrivate: $isPrivate }) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const pinMutation = graphql(
  `
  mutation PinThread($id: ID!) {
    outcome: pinThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const unpinMutation = graphql(
  `
  mutation UnpinThread($id: ID!) {
    outcome: unpinThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);

export const markReadMutation = graphql(
  `
  mutation MarkThreadRead($threadId: ID!, $messageId: ID!) {
    outcome: markThreadRead(input: { threadId: $threadId, messageId: $messageId }) {
      __typename
      ... on Thread {
        id
        isUnread
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
