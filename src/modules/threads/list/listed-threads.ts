/**
 * Reads a page with its threads by one statement, where an operation selects nothing of them but what `thread-row.ts`
 * has. Whatever else it selects, Prisma loads by a statement of its own.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type RawThreadRow, rowColumns, rowOwner, rowSources, type ThreadRow, threadOf } from '../thread-row.js';
import { cursorsOf, type ListThreadsOptions, orderOf, type PageRow, pageColumns, pageOf } from './list-threads.js';
import type { PlacedPage } from './load-page.js';

export async function readListedThreads(
  database: PrismaClient,
  options: ListThreadsOptions,
): Promise<PlacedPage<ThreadRow>> {
  const rows = await database.$queryRaw<(PageRow & RawThreadRow)[]>(listedSql(options));
  const cursors = cursorsOf(options, rows);
  const placed = rows.flatMap((row, index) => {
    const cursor = cursors[index];
    return cursor ? [{ cursor, thread: threadOf(row) }] : [];
  });
  return { placed, end: null };
}

/** The statement that reads the page. Exported so that a test can check its plan. */
export function listedSql(options: ListThreadsOptions): Prisma.Sql {
  const columns = Prisma.sql`, ${rowSources}`;
  return Prisma.sql`
    SELECT ${pageColumns}, ${rowColumns} FROM (${pageOf(options, { columns })}) page ${rowOwner} ORDER BY ${orderOf(options.order)}`;
}
