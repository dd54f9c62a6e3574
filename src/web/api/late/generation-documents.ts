/** What an answer took, which is asked for where it is shown. */
import { graphql } from '../graphql.js';

export const generationQuery = graphql(`
  query Generation($threadId: ID!, $id: ID!) {
    message(threadId: $threadId, id: $id) {
      id
      generation {
        model
        inputTokens
        outputTokens
        cost
        seconds
        firstTokenSeconds
      }
    }
  }
`);
