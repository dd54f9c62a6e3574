/**
 * Reads the list in its order and looks for the words of a search in each thread, until the page is full or a limit is
 * reached: of messages, which are counted before they are read, or of time, since a text may be as long as a book. The
 * first threads are examined whatever the clock says, so that a busy machine does not make the pages of short lists end
 * early.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import {
  type CursorPage,
  cursorsOf,
  type ListThreadsOptions,
  momentText,
  orderOf,
  type PageRow,
  pageColumns,
  pageOf,
} from './list-threads.js';

/** Reading a thread and looking up its messages costs as much as looking for the words in so many messages. */
const threadCost = 4;

/** So much is examined whatever the clock says: some 35 threads of ten messages. */
const workOutsideOfTime = 500;

export interface ReadingLimits {
  /** In messages. */
  work: number;
  ms: number;
}

export interface ExaminedThreads extends CursorPage {
  /** The work that it was, and the threads examined, if the page ends early. */
  work: number;
  threads: number;
}

export async function examineThreads(
  database: Pick<PrismaClient, '$queryRaw'>,
  options: ListThreadsOptions,
  limits: ReadingLimits,
): Promise<ExaminedThreads> {
  const rows = await database.$queryRaw<ExaminedRow[]>(examiningSql(options, limits));
  const found = rows.filter(({ isMatch }) => isMatch);
  const next = rows.find(({ isMatch }) => !isMatch);
  const cursors = cursorsOf(options, found);
  if (!next) return { cursors, end: null, work: 0, threads: 0 };
  const last = { ...next, id: next.lastId, position: next.lastPosition };
  const [end = null] = cursorsOf(options, [last]);
  return { cursors, end, work: Number(next.work), threads: Number(next.threads) };
}

interface ExaminedRow extends PageRow {
  /** Null for a thread that was not examined, because the threads before it reached a limit. */
  isMatch: true | null;
  /** The work and number of the threads before it. */
  work: bigint;
  threads: bigint;
  /** The thread before it; the first thread has none, and is always examined. */
  lastId: string;
  lastPosition: string;
}

/**
 * The statement: the threads that match, then those that were not examined, together no more than fill a page. Exported so
 * that a test can check its plan.
 */
export function examiningSql(options: ListThreadsOptions, { work, ms }: ReadingLimits): Prisma.Sql {
  const { limit, filter, order } = options;
  const list = pageOf(
    // The list has one thread more than the work suffices for.
    { ...options, limit: Math.ceil(work / threadCost) },
    { columns: Prisma.sql`, t.search, ${threadCost}::int + t.last_sequence / 2 AS cost` },
  );
  // Decided once for each thread: PostgreSQL does not merge a subquery that asks for the clock with those around it. Each
  // level names the order, else PostgreSQL would examine all threads and then sort them.
  return Prisma.sql`
    SELECT ${pageColumns}, page.is_match AS "isMatch", page.work, page.threads, page.last_id AS "lastId",
      ${momentText(Prisma.sql`page.last_position`)} AS "lastPosition"
    FROM (
      SELECT page.*, CASE WHEN page.work < ${work}::int AND (page.work < ${workOutsideOfTime}::int
        OR clock_timestamp() < statement_timestamp() + ${ms}::float8 * interval '1 millisecond')
        THEN ${matchesPage(filter.q ?? '')} END AS is_match
      FROM (
        SELECT page.*, sum(page.cost) OVER earlier - page.cost AS work, count(*) OVER earlier - 1 AS threads,
          lag(page.id) OVER earlier AS last_id, lag(page.position) OVER earlier AS last_position
        FROM (${list}) page
        WINDOW earlier AS (ORDER BY ${orderOf(order)} ROWS UNBOUNDED PRECEDING)) page
      ORDER BY ${orderOf(order)}) page
    WHERE page.is_match IS NOT FALSE
    ORDER BY ${orderOf(order)} LIMIT ${limit + 1}`;
}

/** Whether the thread matches. For the function of the operator @@, PostgreSQL cannot read the index of words each time. */
function matchesPage(q: string): Prisma.Sql {
  const query = Prisma.sql`search_query(${q})`;
  return Prisma.sql`coalesce(ts_match_vq(page.search, ${query}) OR (
    SELECT true FROM message m WHERE m.thread_id = page.id AND m.active AND ts_match_vq(m.search, ${query}) LIMIT 1), false)`;
}
