/** The documents of the list of threads, and the mutations of a thread. */
import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.js';

export const threadFields = graphql(`
  fragment ThreadFields on Thread {
    id
    name
    state
    isPrivate
    archived
    interruptReason
    createdAt
    updatedAt
    owner {
      id
      name
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
  query Threads($filter: ThreadFilter, $after: String, $first: Int) {
    threads(filter: $filter, after: $after, first: $first) {
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

export const resumeMutation = graphql(
  `
  mutation ResumeThread($id: ID!) {
    outcome: resumeThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);
