/** The documents of the usage of the viewer's organization, and of its budgets. */
import { graphql } from './graphql.js';
import { mutation } from './mutation.js';

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

export const setBudgetMutation = mutation('SetBudget($input: SetBudgetInput!)', 'setBudget(input: $input)');

export const removeBudgetMutation = mutation('RemoveBudget($id: ID!)', 'removeBudget(id: $id)');
