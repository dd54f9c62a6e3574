/** The document of the ratings that administrators read. */
import { graphql } from '../graphql.js';

export const feedbackQuery = graphql(`
  query Feedback($positive: Boolean, $after: String, $first: Int!) {
    feedback(positive: $positive, after: $after, first: $first) {
      ratings {
        messageId
        threadId
        threadTitle
        userId
        userName
        positive
        text
        ratedAt
      }
      cursor
      hasNextPage
    }
  }
`);
