/** The tags that threads have, and the change of those of one thread. */
import { graphql } from '../graphql.js';
import { refusalFields, threadFields } from '../thread-documents.js';

export const tagsInUseQuery = graphql(`
  query TagsInUse {
    threadTags
  }
`);

export const tagsMutation = graphql(
  `
  mutation SetThreadTags($id: ID!, $tags: [String!]!) {
    outcome: setThreadTags(input: { id: $id, tags: $tags }) {
      __typename
      ...ThreadFields
      ...RefusalFields
    }
  }
`,
  [threadFields, refusalFields],
);
