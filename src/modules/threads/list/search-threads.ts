/**
 * Pages of the threads that a search finds, as `listThreads` defines them, for a bounded amount of work. Where many threads
 * match, reading the list in its order and looking for the words in each thread soon fills a page. Where few match, the
 * index of words finds them. So every search first reads a little of the list; if that does not fill the page, what it
 * found and PostgreSQL's statistics tell which of the two ways is cheaper. Where neither is cheap enough, the page ends
 * early: it has the threads found so far, perhaps none, and says where the next page goes on. Both ways return the same
 * threads in the same order, and each page comes from one statement.
 *
 * Every page moves on: it examines at least one thread, and the next page starts after the last thread examined. A caller
 * who pages by the id of the last thread found starts there instead, and examines the threads after it once more. As none
 * of them matches, no page can end among them but an empty one, whose end is the last thread examined. So no thread is
 * examined more than twice.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { estimateSearch, usesIndex } from './estimate-search.js';
import { examineThreads } from './examine-threads.js';
import { findByIndex } from './find-by-index.js';
import { chooseIndexedQuery } from './indexed-query.js';
import { type CursorPage, cursorsOf, type ListThreadsOptions } from './list-threads.js';

/** What one search may cost. Work is counted in messages in which the words are looked for in the order of the list. */
export interface SearchLimits {
  /** How much of the list is read before anything is estimated. */
  firstWork: number;
  /** How much of the list is read, and how much work the index may be expected to be. */
  work: number;
  /** Milliseconds after which a search ends, however long the texts are. */
  ms: number;
  /** Milliseconds of them after which the index is given up, because the statistics were wrong. */
  indexMs: number;
}

/** The first work is about 140 threads of ten messages. The work takes PostgreSQL some 30 ms if the texts are short. */
export const usualSearchLimits: SearchLimits = { firstWork: 2_000, work: 40_000, ms: 100, indexMs: 50 };

/** PostgreSQL would compile a statement that may read so much, which takes longer than reading it. */
const readingSettings = Prisma.sql`SELECT set_config('jit', 'off', true)`;

/** Returns the cursors of up to `limit + 1` threads, in order, and where the page ends if it ends early. */
export async function searchThreads(
  database: PrismaClient,
  options: ListThreadsOptions,
  { firstWork, work, ms, indexMs }: SearchLimits = usualSearchLimits,
): Promise<CursorPage> {
  const startedMs = performance.now();
  const first = await examineThreads(database, options, { work: firstWork, ms: ms / 2 });
  if (!first.end) return first;
  const query = await chooseIndexedQuery(database, options.filter.q ?? '');
  if (query) {
    const estimate = await estimateSearch(database, options, query);
    const examined = { ...first, found: first.cursors.length, wanted: options.limit + 1 };
    const isUsed = usesIndex(estimate, examined, work);
    const rows = isUsed ? await findByIndex(database, options, { query, ms: indexMs }) : null;
    if (rows) return { cursors: cursorsOf(options, rows), end: null };
  }
  // Where long texts took all the time, more of them would take as long again.
  if (first.work < firstWork) return first;
  return database.$transaction(async (transaction) => {
    await transaction.$queryRaw(readingSettings);
    const leftMs = Math.max(startedMs + ms - performance.now(), ms / 5);
    return await examineThreads(transaction, options, { work, ms: leftMs });
  });
}
