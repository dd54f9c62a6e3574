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
  /** The same without what only begins with the last word, whose number is often a guess. */
  exactMatches: number;
  /** All messages of the database. */
  messages: number;
  /** The threads of the list. */
  threads: number;
}

/** The beginning of the list, which was examined. */
export interface ExaminedPart {
  /** In messages. */
  work: number;
  /** The threads found and the threads examined. */
  found: number;
  threads: number;
  /** How many threads fill the page. */
  wanted: number;
}

/** A message from the index costs as much as this many in the order of the list: it is sorted, and its thread looked up. */
const indexCost = 8;

/** Words that are in fewer messages than one of so many are rare, or the statistics do not know them. */
const knownFrom = 200;

/**
 * Whether to ask the index of words and not to read on in the list, where a search may be as much work as `most`. The
 * index is also asked where reading on is not expected to fill the page and the statistics, which promised more than was
 * found, only guess: it may be cheap after all.
 */
export function usesIndex(estimate: SearchEstimate, part: ExaminedPart, most: number): boolean {
  const { matches, exactMatches, messages, threads } = estimate;
  const { work, found, wanted } = part;
  const whole = (threads * work) / Math.max(part.threads, 1);
  const messagesForMatch = messages / Math.max(matches, 1);
  // The density in the whole database counts as one more thread found.
  const expected = Math.min((wanted * (work + messagesForMatch)) / (found + 1), whole);
  if (matches * indexCost < Math.min(expected, most)) return true;
  const isGuess = exactMatches * knownFrom <= messages;
  const promised = work / messagesForMatch;
  return expected > most && isGuess && found < promised / 5;
}

/** Returns what PostgreSQL expects if the index looks up `query`, without executing anything. */
export async function estimateSearch(
  database: PrismaClient,
  options: ListThreadsOptions,
  query: Prisma.Sql,
): Promise<SearchEstimate> {
  const [row] = await database.$queryRaw<PlanRow[]>(estimateSql(options, query));
  const steps = new Map(
    (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => stepsOf(Plan)).map((step) => [step.Alias, step]),
  );
  const rowsOf = (alias: string) => steps.get(alias)?.['Plan Rows'] ?? 0;
  const foundBy = (alias: string) =>
    steps.get(alias)?.['Node Type'] === 'Seq Scan' ? Number.POSITIVE_INFINITY : rowsOf(alias);
  return {
    matches: foundBy('matching'),
    exactMatches: foundBy('exact'),
    messages: rowsOf('every'),
    threads: rowsOf('t'),
  };
}

function estimateSql({ viewer, filter }: ListThreadsOptions, query: Prisma.Sql): Prisma.Sql {
  const exact = Prisma.sql`replace(${query}::text, ':*', '')::tsquery`;
  return Prisma.sql`
    EXPLAIN (FORMAT JSON)
    SELECT 1 FROM message matching WHERE active AND search @@ ${query}
    UNION ALL SELECT 1 FROM message exact WHERE active AND search @@ ${exact}
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
