/** Goes on in a new thread where one has failed. */
import { graphql } from '../graphql.js';
import { postedFields } from '../posting-documents.js';
import { refusalFields } from '../thread-documents.js';

export const continueThreadMutation = graphql(
  `
  mutation ContinueThread($input: ContinueThreadInput!) {
    outcome: continueThread(input: $input) { ${postedFields} }
  }
`,
  [refusalFields],
);
