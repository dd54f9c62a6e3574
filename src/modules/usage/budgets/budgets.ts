/**
 * Refuses what a budget does not allow any more: when a message is sent, and before each call of the model. Calls that are under way
 * end as usual, so a budget may be exceeded by what they take.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { BudgetExceededError } from '../../../errors.js';
import type { Prices } from '../prices.js';
import type { Payer } from './budget.js';
import { readBudgetsOf } from './spent.js';

export interface BudgetsOptions {
  database: PrismaClient;
  prices: Prices;
  /** Counts the refusals. */
  limitsHit: { see(error: unknown): void };
  now?: () => Date;
}

export class Budgets {
  readonly #options: Required<BudgetsOptions>;

  constructor(options: BudgetsOptions) {
    this.#options = { now: () => new Date(), ...options };
  }

  /** Throws a `BudgetExceededError` if a budget of the payer is used up; of several, that which renews last. */
  async check(payer: Payer): Promise<void> {
    if (!payer.hasBudgets) return;
    const { database, prices, limitsHit, now } = this.#options;
    const budgets = await readBudgetsOf({ database, prices, now: now() }, payer);
    const [last] = budgets
      .filter(({ spent, maximum }) => spent !== null && spent >= maximum)
      .sort((a, b) => b.renewsAt.getTime() - a.renewsAt.getTime());
    if (last) {
      const { scope, period, unit, maximum, renewsAt } = last;
      const error = new BudgetExceededError({ scope, period, unit, maximum }, renewsAt);
      limitsHit.see(error);
      throw error;
    }
  }
}
