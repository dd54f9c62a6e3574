/**
 * A budget: how many tokens, or how much money, may be taken in a day or a month of UTC, by an organization, a user or an access
 * token. A budget of each user or token holds for those without one of their own. What is taken is what the sums of usage say.
 */
import type { BudgetPeriod } from '../../../contract.js';

/** Whom the tokens of a response are charged to. */
export interface Payer {
  organizationId: number;
  userId: string;
  /** The access token that it was asked for with; null for a browser. */
  tokenId: string | null;
  /** Whether the organization has any budget; without one there is nothing to check. */
  hasBudgets: boolean;
}

/** The first day of the period, in UTC, as `2026-11-01`. */
export function firstDayOf(period: BudgetPeriod, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  return period === 'day' ? day : `${day.slice(0, 8)}01`;
}

/** When the period ends, and with it what was taken is forgotten. */
export function renewalOf(period: BudgetPeriod, now: Date): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return new Date(period === 'day' ? Date.UTC(year, month, now.getUTCDate() + 1) : Date.UTC(year, month + 1));
}
