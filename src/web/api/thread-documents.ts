/** The documents of the list of threads, and of what can be done with a thread as a whole. */
import { gql } from 'urql';
import type { Page, Refusal, Thread, ThreadFilter } from './types.js';

/** Where a search has found a thread: in a message, or where there is none in the name. */
export interface ThreadMatch {
  parts: { text: string; isHit: boolean }[];
  message: { id: string } | null;
}

export const threadFields = gql`
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
`;

export const refusalFields = gql`
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
`;

export interface ThreadEdge {
  cursor: string;
  node: Thread;
  /** Null where nothing is searched for. */
  match: ThreadMatch | null;
}

export type ThreadPage = Pick<Page<Thread>, 'pageInfo'> & { edges: ThreadEdge[] };

export const threadsQuery = gql<{ threads: ThreadPage }, { filter: ThreadFilter; after: string | null; first: number }>`
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
  ${threadFields}
`;

export type ThreadsChange =
  | { __typename: 'ThreadUpserted'; cursor: string; thread: Thread }
  | { __typename: 'ThreadHidden'; cursor: string; threadId: string }
  | { __typename: 'ThreadsCaughtUp'; cursor: string };

export const threadsChangedSubscription = gql<{ threadsChanged: ThreadsChange }, { after: string | null }>`
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
  ${threadFields}
`;

type ThreadOutcome = { outcome: ({ __typename: 'Thread' } & Thread) | Refusal };

export const renameMutation = gql<ThreadOutcome, { id: string; name: string | null }>`
  mutation RenameThread($id: ID!, $name: String) {
    outcome: renameThread(input: { id: $id, name: $name }) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
  ${threadFields}
  ${refusalFields}
`;

export const archiveMutation = gql<ThreadOutcome, { id: string }>`
  mutation ArchiveThread($id: ID!) {
    outcome: archiveThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
  ${threadFields}
  ${refusalFields}
`;

export const unarchiveMutation = gql<ThreadOutcome, { id: string }>`
  mutation UnarchiveThread($id: ID!) {
    outcome: unarchiveThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
  ${threadFields}
  ${refusalFields}
`;

export const privacyMutation = gql<ThreadOutcome, { id: string; isPrivate: boolean }>`
  mutation SetThreadPrivacy($id: ID!, $isPrivate: Boolean!) {
    outcome: setThreadPrivacy(input: { id: $id, isPrivate: $isPrivate }) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
  ${threadFields}
  ${refusalFields}
`;

export const resumeMutation = gql<ThreadOutcome, { id: string }>`
  mutation ResumeThread($id: ID!) {
    outcome: resumeThread(id: $id) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
  ${threadFields}
  ${refusalFields}
`;
