/** The documents of the usage of the viewer's organization. */
import { graphql } from './graphql.js';

export const usageFields = graphql(`
  fragment UsageFields on UsageSum {
    day
    userId
    model
    responses
    inputTokens
    outputTokens
    cost
    isCostComplete
  }
`);

export const usageQuery = graphql(
  `
  query Usage($from: String!, $to: String!) {
    days: usage(from: $from, to: $to, groupBy: DAY) {
      ...UsageFields
    }
    users: usage(from: $from, to: $to, groupBy: USER) {
      ...UsageFields
    }
    models: usage(from: $from, to: $to, groupBy: MODEL) {
      ...UsageFields
    }
  }
`,
  [usageFields],
);
