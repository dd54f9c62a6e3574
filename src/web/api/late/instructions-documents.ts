/** The instructions of a thread, which are read and written in a dialog only. */
import { graphql } from '../graphql.js';
import { mutation } from '../mutation.js';

export const instructionsQuery = graphql(`
  query Instructions($id: ID!) {
    thread(id: $id) {
      id
      instructions
    }
  }
`);

export const instructionsMutation = mutation(
  'SetThreadInstructions($id: ID!, $instructions: String)',
  'setThreadInstructions(input: { id: $id, instructions: $instructions })',
);
