/** Budgets in words. */
import type { Budget } from '../../../api/types.js';
import { formatIn } from '../../../language/formats.js';
import { counted, defineTexts, withValues } from '../../../language/texts.js';
import { displayName } from '../../../ui/display-name.js';

export const budgetTexts = defineTexts('settings/usage/budgets/budget-words', {
  organization: 'The organization',
  eachMember: 'Each member',
  former: 'Former member',
  eachToken: 'Each API token',
  token: withValues('API token {id}'),
  tokensADay: counted({ one: '{count} token a day', other: '{count} tokens a day' }),
  tokensAMonth: counted({ one: '{count} token a month', other: '{count} tokens a month' }),
  costADay: withValues('a cost of {amount} a day'),
  costAMonth: withValues('a cost of {amount} a month'),
});

const amounts = formatIn((languages) => new Intl.NumberFormat(languages, { maximumFractionDigits: 2 }));

/** Whose budget it is. */
export function subjectOf({ scope, userId, member, tokenId }: Budget): string {
  const t = budgetTexts.get();
  if (scope === 'ORGANIZATION') return t.organization;
  if (scope === 'TOKEN') return tokenId === null ? t.eachToken : t.token({ id: tokenId });
  if (member) return displayName(member.name, member.email);
  return userId === null ? t.eachMember : t.former;
}

/** What it allows, as in `1,000,000 tokens a month`. */
export function termsOf({ period, unit, maximum }: Budget): string {
  const t = budgetTexts.get();
  const amount = amountOf(maximum);
  if (unit === 'TOKENS') return period === 'DAY' ? t.tokensADay(maximum) : t.tokensAMonth(maximum);
  return period === 'DAY' ? t.costADay({ amount }) : t.costAMonth({ amount });
}

export function amountOf(value: number): string {
  return amounts().format(value);
}
