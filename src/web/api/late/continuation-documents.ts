/** Goes on in a new thread where one has failed. */
import { graphql } from '../graphql.js';
import { refusalFields } from '../thread-documents.js';

export const continueThreadMutation = graphql(
  `
  mutation ContinueThread($input: ContinueThreadInput!) {
    outcome: continueThread(input: $input) {
      __typename
      ... on PostedMessage {
        threadId
        messageId
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
