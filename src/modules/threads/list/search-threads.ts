/**
 * Pages of the threads that a search finds, as `listThreads` defines them, for about as much work as their words are
 * frequent. Where many threads match, reading the list in its order and looking for the words in each thread soon fills
 * a page. Where few match, the index of words finds them. So every search first reads a little of the list. If that does
 * not fill the page, what it found and PostgreSQL's statistics tell which of the two ways is cheaper. Both ways return
 * the same threads in the same order, and each page comes from one statement.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { cheapestWay, estimateSearch, type SearchEstimate } from './estimate-search.js';
import { cursorsOf, type ListThreadsOptions, orderOf, type PageRow, pageColumns, pageOf } from './list-threads.js';
import type { ThreadCursor } from './thread-cursor.js';

/** How much of the list is read before anything is estimated: about 140 threads of ten messages. */
const usualFirstBudget = 2_000;

/** Reading a thread and looking up its messages costs as much as looking for the words in so many messages. */
const threadCost = 4;

/** Returns the cursors of up to `limit + 1` threads, in order. */
export async function searchThreads(
  database: PrismaClient,
  options: ListThreadsOptions,
  firstBudget = usualFirstBudget,
): Promise<ThreadCursor[]> {
  let estimate: SearchEstimate | undefined;
  for (let budget = firstBudget; ; ) {
    const rows = await database.$queryRaw<WalkedRow[]>(walkSql(options, budget));
    const found = rows.findIndex((row) => !row.isExamined);
    const end = rows[found];
    if (!end) return cursorsOf(options, rows);
    estimate ??= await estimateSearch(database, options);
    const way = cheapestWay(estimate, { budget, found, threads: Number(end.before), wanted: options.limit + 1 });
    if (way === 'index') return cursorsOf(options, await readIndex(database, options));
    budget = way;
  }
}

interface WalkedRow extends PageRow {
  /** Whether the budget sufficed to look for the words in this thread. */
  isExamined: boolean;
  /** How many threads stand before this one. */
  before: bigint;
}

/**
 * The statement that reads the list in its order until a page is full or the budget is spent; then the threads after
 * that follow unexamined, as many as fit in the page. Exported so that a test can check its plan.
 */
export function walkSql(options: ListThreadsOptions, budget: number): Prisma.Sql {
  const { limit, filter, order } = options;
  const list = pageOf(
    { ...options, limit: Math.ceil(budget / threadCost) + limit },
    { columns: Prisma.sql`, t.search, ${threadCost}::int + t.last_sequence / 2 AS cost` },
  );
  return Prisma.sql`
    SELECT ${pageColumns}, page.spent < ${budget}::int AS "isExamined", page.before
    FROM (
      SELECT page.*, sum(page.cost) OVER earlier - page.cost AS spent, count(*) OVER earlier - 1 AS before
      FROM (${list}) page
      WINDOW earlier AS (ORDER BY ${orderOf(order)} ROWS UNBOUNDED PRECEDING)) page
    WHERE CASE WHEN page.spent < ${budget}::int THEN ${matchesPage(filter.q ?? '')} ELSE true END
    ORDER BY ${orderOf(order)} LIMIT ${limit + 1}`;
}

/** Whether the thread matches. For the function of the operator @@, PostgreSQL cannot read the index of words each time. */
function matchesPage(q: string): Prisma.Sql {
  const query = Prisma.sql`search_query(${q})`;
  return Prisma.sql`(coalesce(ts_match_vq(page.search, ${query}), false) OR (
    SELECT true FROM message m WHERE m.thread_id = page.id AND m.active AND ts_match_vq(m.search, ${query}) LIMIT 1))`;
}

/** Reads a page by the index of words. */
function readIndex(database: PrismaClient, options: ListThreadsOptions): Promise<PageRow[]> {
  return database.$transaction(async (transaction) => {
    await transaction.$queryRaw(indexSettings);
    return transaction.$queryRaw<PageRow[]>(indexSql(options));
  });
}

/**
 * Settings for the transaction. PostgreSQL overestimates how often frequent words are in one message, and would read the
 * whole table, with several processes. With enough memory it need not check each row of a page that has a match.
 */
export const indexSettings = Prisma.sql`
  SELECT set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('work_mem', '32MB', true)`;

/**
 * The statement that finds the threads by their words. There is one lookup for names and one for messages instead of an
 * OR, for which no index works. OFFSET 0 makes PostgreSQL look up each thread that was found; it overestimates their
 * number, and would read all threads of the organization.
 */
export function indexSql(options: ListThreadsOptions): Prisma.Sql {
  const query = Prisma.sql`search_query(${options.filter.q})`;
  const threads = Prisma.sql`(
    SELECT id FROM thread WHERE search @@ ${query}
    UNION
    SELECT thread_id FROM message WHERE active AND search @@ ${query}) found
    CROSS JOIN LATERAL (SELECT * FROM thread WHERE thread.id = found.id OFFSET 0) t`;
  return Prisma.sql`SELECT ${pageColumns} FROM (${pageOf(options, { threads })}) page ORDER BY ${orderOf(options.order)}`;
}
