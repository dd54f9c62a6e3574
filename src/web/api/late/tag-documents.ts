/** The tags that threads have, and the change of those of one thread. */
import { graphql } from '../graphql.js';
import { mutation } from '../mutation.js';
import { threadFields } from '../thread-documents.js';

export const tagsInUseQuery = graphql(`
  query TagsInUse {
    threadTags
  }
`);

export const tagsMutation = mutation(
  'SetThreadTags($id: ID!, $tags: [String!]!)',
  'setThreadTags(input: { id: $id, tags: $tags })',
  '...ThreadFields',
  [threadFields],
);
