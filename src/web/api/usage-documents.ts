/** The documents of the usage of the viewer's organization, and of its budgets. */
import { graphql } from './graphql.js';
import { refusalFields } from './thread-documents.js';

export const usageFields = graphql(`
  fragment UsageFields on UsageSum {
    day
    userId
    member {
      name
      email
    }
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

export const budgetsQuery = graphql(`
  query Budgets {
    budgets {
      id
      scope
      userId
      member {
        name
        email
      }
      tokenId
      period
      unit
      maximum
      spent
      renewsAt
    }
  }
`);

export const setBudgetMutation = graphql(
  `
  mutation SetBudget($input: SetBudgetInput!) {
    outcome: setBudget(input: $input) {
      __typename
      ... on Budget {
        id
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const removeBudgetMutation = graphql(
  `
  mutation RemoveBudget($id: ID!) {
    outcome: removeBudget(id: $id) {
      __typename
      ... on Budget {
        id
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
