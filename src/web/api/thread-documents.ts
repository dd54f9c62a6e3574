/** The documents of the list of threads, and the mutations of a thread. */
import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.js';
import { mutation } from './mutation.js';

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
      ... on Positioned {
        cursor
      }
      ... on ThreadUpserted {
        thread {
          ...ThreadFields
        }
      }
      ... on ThreadHidden {
        threadId
      }
    }
  }
`,
  [threadFields],
);

export type ThreadsChange = ResultOf<typeof threadsChangedSubscription>['threadsChanged'];

/** What is selected of a thread that was changed. */
const wholeThread = ['...ThreadFields', [threadFields]] as const;

export const renameMutation = mutation(
  'RenameThread($id: ID!, $name: String)',
  'renameThread(input: { id: $id, name: $name })',
  ...wholeThread,
);

export const archiveMutation = mutation('ArchiveThread($id: ID!)', 'archiveThread(id: $id)', ...wholeThread);

export const unarchiveMutation = mutation('UnarchiveThread($id: ID!)', 'unarchiveThread(id: $id)', ...wholeThread);

export const deleteMutation = mutation('DeleteThread($id: ID!)', 'deleteThread(id: $id)');

export const archiveManyMutation = mutation(
  'ArchiveThreads($ids: [ID!]!)',
  'archiveThreads(ids: $ids)',
  '... on ChangedThreads { ids }',
);

export const unarchiveManyMutation = mutation(
  'UnarchiveThreads($ids: [ID!]!)',
  'unarchiveThreads(ids: $ids)',
  '... on ChangedThreads { ids }',
);

export const privacyMutation = mutation(
  'SetThreadPrivacy($id: ID!, $isPrivate: Boolean!)',
  'setThreadPrivacy(input: { id: $id, isPrivate: $isPrivate })',
  ...wholeThread,
);

export const pinMutation = mutation('PinThread($id: ID!)', 'pinThread(id: $id)', ...wholeThread);

export const unpinMutation = mutation('UnpinThread($id: ID!)', 'unpinThread(id: $id)', ...wholeThread);

export const markReadMutation = mutation(
  'MarkThreadRead($threadId: ID!, $messageId: ID!)',
  'markThreadRead(input: { threadId: $threadId, messageId: $messageId })',
  '... on Thread { id isUnread }',
);
