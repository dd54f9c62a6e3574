/** Who else is in a thread, which only threads that others can read are asked for. */
import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.js';
import { mutation } from '../mutation.js';

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

export const announceWritingMutation = mutation(
  'AnnounceWriting($threadId: ID!)',
  'announceWriting(input: { threadId: $threadId })',
);
