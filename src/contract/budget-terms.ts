/** What a budget says, as both APIs and the web application name it. */
export const budgetScopes = ['organization', 'user', 'token'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** Days and months of UTC. */
export const budgetPeriods = ['day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Tokens in and out together, or their cost by the price list. */
export const budgetUnits = ['tokens', 'cost'] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

export interface BudgetTerms {
  scope: BudgetScope;
  period: BudgetPeriod;
  unit: BudgetUnit;
  /** How much may be taken until it renews. */
  maximum: number;
}
