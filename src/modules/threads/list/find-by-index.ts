/**
 * Finds a page of a search by the index of words. The index returns all matches, which are then sorted, so this is for rare
 * words only. Where the statistics promised fewer matches than there are, it is given up after a while.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { sqlStateOf } from '../../sql-state.js';
import { type ListThreadsOptions, orderOf, type PageRow, pageColumns, pageOf } from './list-threads.js';

const queryCanceled = '57014';

export interface Lookup {
  /** What the index looks up: the search, or one that finds more (`chooseIndexedQuery`). */
  query: Prisma.Sql;
  ms: number;
}

/** Returns up to `limit + 1` threads, in order; null if that takes longer than so many milliseconds. */
export async function findByIndex(
  database: PrismaClient,
  options: ListThreadsOptions,
  { query, ms }: Lookup,
): Promise<PageRow[] | null> {
  let startedMs = Number.POSITIVE_INFINITY;
  try {
    return await database.$transaction(async (transaction) => {
      await transaction.$queryRaw(indexSettings(ms));
      startedMs = performance.now();
      return await transaction.$queryRaw<PageRow[]>(indexSql(options, query));
    });
  } catch (error) {
    // An operator may cancel it as well, with the same code.
    const isLate = performance.now() - startedMs >= ms;
    if (sqlStateOf(error) === queryCanceled && isLate) return null;
    throw error;
  }
}

/**
 * Settings for the transaction, which hold behind a pooler too. PostgreSQL overestimates how often frequent words are in
 * one message, and would read the whole table, with several processes. With enough memory it need not check each row of a
 * page that has a match.
 */
export function indexSettings(ms: number): Prisma.Sql {
  return Prisma.sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
      set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
      set_config('statement_timeout', ${String(ms)}, true)`;
}

/**
 * The statement that finds the threads by their words. There is one lookup for names and one for messages instead of an
 * OR, for which no index works. OFFSET 0 makes PostgreSQL look up each thread that was found; it overestimates their
 * number, and would read all threads of the organization.
 */
export function indexSql(options: ListThreadsOptions, query: Prisma.Sql): Prisma.Sql {
  const matches = Prisma.sql`search @@ ${query} AND ts_match_vq(search, search_query(${options.filter.q}))`;
  const threads = Prisma.sql`(
    SELECT id FROM thread WHERE ${matches}
    UNION
    SELECT thread_id FROM message WHERE active AND ${matches}) found
    CROSS JOIN LATERAL (SELECT * FROM thread WHERE thread.id = found.id OFFSET 0) t`;
  return Prisma.sql`SELECT ${pageColumns} FROM (${pageOf(options, { threads })}) page ORDER BY ${orderOf(options.order)}`;
}
