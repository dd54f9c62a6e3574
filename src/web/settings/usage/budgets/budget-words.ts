/** Budgets in words. */
import type { Budget } from '../../../api/types.js';
import { languages } from '../../../ui/languages.js';

const amounts = new Intl.NumberFormat(languages, { maximumFractionDigits: 2 });

/** Whose budget it is; `names` are those of the members by their ids. */
export function subjectOf({ scope, userId, tokenId }: Budget, names: ReadonlyMap<string, string>): string {
  if (scope === 'ORGANIZATION') return 'The organization';
  if (scope === 'TOKEN') return tokenId === null ? 'Each API token' : `API token ${tokenId}`;
  return userId === null ? 'Each member' : (names.get(userId) ?? 'Former member');
}

/** What it allows, as in `1,000,000 tokens a month`. */
export function termsOf({ period, unit, maximum }: Budget): string {
  const amount = amounts.format(maximum);
  return `${unit === 'TOKENS' ? `${amount} tokens` : `a cost of ${amount}`} a ${period === 'DAY' ? 'day' : 'month'}`;
}

export function amountOf(value: number): string {
  return amounts.format(value);
}
