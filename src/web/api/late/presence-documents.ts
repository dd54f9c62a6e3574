/** Who else is in a thread, which only threads that others can read are asked for. */
import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.js';
import { refusalFields } from '../thread-documents.js';

export const threadPresenceSubscription = graphql(`
  subscription ThreadPresence($threadId: ID!) {
    threadPresence(threadId: $threadId) {
      people {
        id
        name
      }
      writing {
        id
        name
      }
      count
    }
  }
`);

export type PeopleInThread = ResultOf<typeof threadPresenceSubscription>['threadPresence'];

export const announceWritingMutation = graphql(
  `
  mutation AnnounceWriting($threadId: ID!) {
    outcome: announceWriting(input: { threadId: $threadId }) {
      __typename
      ... on AnnouncedWriting {
        threadId
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
