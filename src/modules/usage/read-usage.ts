/** What an organization's responses took, added up by day, user or model. */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { costOf, type Prices } from './prices.js';

/** What the sums are taken over. */
export type UsageGroup = 'day' | 'user' | 'model';

/** Of the three only what the sums are grouped by is not null. */
export interface UsageSum {
  day: string | null;
  userId: string | null;
  model: string | null;
  responses: number;
  inputTokens: number;
  outputTokens: number;
  /** Null if no model among them has a price. */
  cost: number | null;
  /** Whether every model among them has a price. */
  isCostComplete: boolean;
}

export interface UsageRequest {
  organizationId: number;
  /** Days in UTC, both included, as `2026-11-23`. */
  from: string;
  to: string;
  groupBy: UsageGroup;
  limit: number;
}

/** The longest time that is read at once. */
export const maximumUsageDays = 366;

const columns = { day: Prisma.sql`u.day::text`, user: Prisma.sql`u.user_id`, model: Prisma.sql`u.model` };

/** The field that says what the sums are of. */
const keys = { day: 'day', user: 'userId', model: 'model' } as const;

interface UsageRow {
  key: string;
  model: string;
  responses: number;
  inputTokens: number;
  outputTokens: number;
}

/** The sums, by day the newest first, otherwise the most tokens first; at most `limit`. */
export async function readUsage(
  database: PrismaClient,
  prices: Prices,
  { organizationId, from, to, groupBy, limit }: UsageRequest,
): Promise<UsageSum[]> {
  const rows = await database.$queryRaw<UsageRow[]>`
    SELECT ${columns[groupBy]} AS key, u.model, sum(u.responses)::float8 AS responses,
      sum(u.input_tokens)::float8 AS "inputTokens", sum(u.output_tokens)::float8 AS "outputTokens"
    FROM usage_day u
    WHERE u.organization_id = ${organizationId} AND u.day BETWEEN ${from}::date AND ${to}::date
    GROUP BY 1, 2`;
  const sums = new Map<string, UsageSum>();
  for (const row of rows) sums.set(row.key, added(sums.get(row.key) ?? emptySum(groupBy, row.key), row, prices));
  const order = (a: UsageSum, b: UsageSum) =>
    groupBy === 'day' ? String(b.day).localeCompare(String(a.day)) : tokensOf(b) - tokensOf(a);
  return [...sums.values()].sort(order).slice(0, limit);
}

function emptySum(groupBy: UsageGroup, key: string): UsageSum {
  const names = { day: null, userId: null, model: null, [keys[groupBy]]: key };
  return { ...names, responses: 0, inputTokens: 0, outputTokens: 0, cost: null, isCostComplete: true };
}

function added(sum: UsageSum, row: UsageRow, prices: Prices): UsageSum {
  const cost = costOf(prices, row);
  return {
    ...sum,
    responses: sum.responses + row.responses,
    inputTokens: sum.inputTokens + row.inputTokens,
    outputTokens: sum.outputTokens + row.outputTokens,
    cost: cost === null ? sum.cost : (sum.cost ?? 0) + cost,
    isCostComplete: sum.isCostComplete && cost !== null,
  };
}

function tokensOf({ inputTokens, outputTokens }: UsageSum): number {
  return inputTokens + outputTokens;
}
