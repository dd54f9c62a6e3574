/** The model of a thread, which only services with several models are asked for. */
import { graphql } from '../graphql.js';

export const threadModelQuery = graphql(`
  query ThreadModel($id: ID!) {
    thread(id: $id) {
      id
      model
    }
  }
`);
