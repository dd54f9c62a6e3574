/**
 * What was taken of budgets in their present period. It is added up by the days of the sums of usage, each found by its key, so that
 * the statement takes as long for an old organization as for a new one.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { BudgetTerms } from '../../../contract.js';
import { costOf, type Prices } from '../prices.js';
import { firstDayOf, type Payer, renewalOf } from './budget.js';

export interface Budget extends BudgetTerms {
  id: string;
  /** Of both, that of the one user or token; null for a budget of the organization, of each user or of each token. */
  userId: string | null;
  tokenId: string | null;
  /** In its unit. Null for a budget of each user or token: each has taken something else. */
  spent: number | null;
  renewsAt: Date;
}

export interface SpentOptions {
  database: PrismaClient;
  prices: Prices;
  now: Date;
}

/** The budgets that hold for the payer, with what the payer has taken of each. */
export async function readBudgetsOf(options: SpentOptions, payer: Payer): Promise<Budget[]> {
  const { organizationId, userId, tokenId } = payer;
  const subject = Prisma.sql`
    SELECT DISTINCT ON (b.scope, b.period, b.unit) b.*, ${userId}::text AS of_user, root.id AS of_token
    FROM budget b, root_token(${tokenId}::text) AS root (id)
    WHERE b.organization_id = ${organizationId} AND CASE b.scope WHEN 'user' THEN coalesce(b.user_id, ${userId}) = ${userId}
      WHEN 'token' THEN coalesce(b.token_id, root.id) = root.id ELSE true END
    ORDER BY b.scope, b.period, b.unit, b.user_id NULLS LAST, b.token_id NULLS LAST`;
  return readSpent(options, subject);
}

/** The budgets of an organization, the oldest first, at most `limit`. */
export async function listBudgets(
  options: SpentOptions,
  { organizationId, limit }: { organizationId: number; limit: number },
): Promise<Budget[]> {
  const budgets = await readSpent(
    options,
    Prisma.sql`
    SELECT b.*, b.user_id AS of_user, b.token_id AS of_token FROM budget b WHERE b.organization_id = ${organizationId}
    ORDER BY b.id LIMIT ${limit}`,
  );
  return budgets.map((budget) => (isOfEach(budget) ? { ...budget, spent: null } : budget));
}

function isOfEach({ scope, userId, tokenId }: Budget): boolean {
  return scope !== 'organization' && userId === null && tokenId === null;
}

interface Row extends Omit<Budget, 'spent' | 'renewsAt'> {
  /** Null if nothing was taken. */
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** `budgets` selects rows of budgets, each with the user and the token that it is asked about. */
async function readSpent({ database, prices, now }: SpentOptions, budgets: Prisma.Sql): Promise<Budget[]> {
  const [today, month] = [firstDayOf('day', now), firstDayOf('month', now)];
  const sums = Prisma.sql`u.model, sum(u.input_tokens)::float8 AS input, sum(u.output_tokens)::float8 AS output`;
  const rows = await database.$queryRaw<Row[]>`
    WITH asked AS MATERIALIZED (${budgets}),
    b AS (SELECT asked.*, CASE period WHEN 'day' THEN ${today}::date ELSE ${month}::date END AS since FROM asked)
    SELECT b.id, b.scope, b.period, b.unit, b.maximum, b.user_id AS "userId", b.token_id AS "tokenId",
      taken.model, taken.input AS "inputTokens", taken.output AS "outputTokens"
    FROM b LEFT JOIN LATERAL (
      SELECT ${sums} FROM usage_day u
      WHERE b.scope = 'organization' AND u.organization_id = b.organization_id AND u.day BETWEEN b.since AND ${today}::date GROUP BY u.model
      UNION ALL
      SELECT ${sums} FROM generate_series(b.since, ${today}::date, interval '1 day') AS d (day)
        JOIN usage_day u ON u.organization_id = b.organization_id AND u.day = d.day::date AND u.user_id = b.of_user
      WHERE b.scope = 'user' GROUP BY u.model
      UNION ALL
      SELECT ${sums} FROM token_usage_day u
      WHERE b.scope = 'token' AND u.token_id = b.of_token AND u.day BETWEEN b.since AND ${today}::date GROUP BY u.model
    ) taken ON true ORDER BY b.id`;
  const found = new Map<string, Budget & { spent: number }>();
  for (const { model, inputTokens, outputTokens, ...terms } of rows) {
    const known = found.get(terms.id) ?? { ...terms, spent: 0, renewsAt: renewalOf(terms.period, now) };
    const taken = { model: model ?? '', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
    found.set(terms.id, { ...known, spent: known.spent + amountOf(terms, taken, prices) });
  }
  return [...found.values()];
}

/** A model without a price costs nothing that is known. */
function amountOf(
  { unit }: Pick<BudgetTerms, 'unit'>,
  taken: { model: string; inputTokens: number; outputTokens: number },
  prices: Prices,
): number {
  return unit === 'tokens' ? taken.inputTokens + taken.outputTokens : (costOf(prices, taken) ?? 0);
}
