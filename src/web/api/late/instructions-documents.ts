/** The instructions of a thread, which are read and written in a dialog only. */
import { graphql } from '../graphql.js';
import { refusalFields } from '../thread-documents.js';

export const instructionsQuery = graphql(`
  query Instructions($id: ID!) {
    thread(id: $id) {
      id
      instructions
    }
  }
`);

export const instructionsMutation = graphql(
  `
  mutation SetThreadInstructions($id: ID!, $instructions: String) {
    outcome: setThreadInstructions(input: { id: $id, instructions: $instructions }) {
      __typename
      ... on Thread {
        id
        instructions
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
