/**
 * Estimates the work of a search, in messages read in the order of the list. PostgreSQL's statistics say how many
 * messages the index of words returns, and how long the list is; the part of the list that was read already says how
 * densely the matching threads stand there, which may differ from the whole.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { visibleToSql } from '../visibility.js';
import type { ListThreadsOptions } from './list-threads.js';
import { threadFilterSql } from './thread-filter.js';

export interface SearchEstimate {
  /** The messages that the index returns; for a phrase, those that contain its words. Infinity: it cannot be used. */
  matches: number;
  /** All messages of the database. */
  messages: number;
  /** The threads of the list. */
  threads: number;
}

/** What was read of the list. */
export interface WalkedPart {
  budget: number;
  /** The threads found and the threads read. */
  found: number;
  threads: number;
  /** How many threads fill the page. */
  wanted: number;
}

/** A message from the index costs as much as this many in the order of the list: it is sorted, and its thread looked up. */
const indexCost = 8;

/** A list of this size is read to its end in a fraction of a second, whatever the statistics of the whole database say. */
const shortList = 100_000;

/** Returns 'index', or the budget with which to read the list. */
export function cheapestWay({ matches, messages, threads }: SearchEstimate, walked: WalkedPart): 'index' | number {
  const { budget, found, wanted } = walked;
  const whole = (threads * budget) / Math.max(walked.threads, 1);
  const messagesForMatch = messages / Math.max(matches, 1);
  // The statistics promised several. So the words are only in older threads, only in those of others, or not together.
  const isSurprising = found === 0 && budget > 5 * messagesForMatch;
  if (isSurprising && whole > shortList) return 'index';
  // The density in the whole database counts as one more thread found.
  const expected = isSurprising ? whole : (wanted * (budget + messagesForMatch)) / (found + 1);
  if (matches * indexCost < Math.min(expected, whole)) return 'index';
  return Math.ceil(Math.min(Math.max(expected * 1.5, budget * 2), budget * 8));
}

/** Returns what PostgreSQL expects, without executing anything. */
export async function estimateSearch(database: PrismaClient, options: ListThreadsOptions): Promise<SearchEstimate> {
  const [row] = await database.$queryRaw<PlanRow[]>(estimateSql(options));
  const steps = new Map(
    (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => stepsOf(Plan)).map((step) => [step.Alias, step]),
  );
  const rowsOf = (alias: string) => steps.get(alias)?.['Plan Rows'] ?? 0;
  const isUsable = steps.get('matching')?.['Node Type'] !== 'Seq Scan';
  return {
    matches: isUsable ? rowsOf('matching') : Number.POSITIVE_INFINITY,
    messages: rowsOf('every'),
    threads: rowsOf('t'),
  };
}

function estimateSql({ viewer, filter }: ListThreadsOptions): Prisma.Sql {
  return Prisma.sql`
    EXPLAIN (FORMAT JSON)
    SELECT 1 FROM message matching WHERE active AND search @@ search_query(${filter.q})
    UNION ALL SELECT 1 FROM message every
    UNION ALL SELECT 1 FROM thread t WHERE ${visibleToSql(viewer)} AND ${threadFilterSql(viewer, filter)}`;
}

interface PlanRow {
  'QUERY PLAN': { Plan: PlanStep }[];
}

interface PlanStep {
  'Node Type': string;
  Alias?: string;
  'Plan Rows': number;
  Plans?: PlanStep[];
}

function stepsOf(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}
