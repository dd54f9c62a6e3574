/** A page of the list: its threads are found by position first, and then loaded by id with what the caller asked for. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { rememberPosition } from './list-position.js';
import { type ListThreadsOptions, listThreads } from './list-threads.js';
import type { ThreadCursor } from './thread-cursor.js';

export interface PageRequest extends ListThreadsOptions {
  /** True: the id of the page's last thread is to work as a cursor. */
  remember: boolean;
}

export interface PageItem<Row> {
  thread: Row;
  cursor: ThreadCursor;
}

/**
 * The threads of a page, in order, and whether more follow. `load` gets ids, and gives those rows that the viewer still sees:
 * a thread may be made private between the two statements. A page that has lost all of its threads so is passed over.
 */
export async function loadPage<Row extends { id: string }>(
  database: PrismaClient,
  request: PageRequest,
  load: (ids: string[]) => Promise<Row[]>,
): Promise<{ items: PageItem<Row>[]; hasNextPage: boolean }> {
  for (let { after } = request; ; ) {
    const cursors = await listThreads(database, { ...request, after });
    const shown = cursors.slice(0, request.limit);
    const rows = new Map((await load(shown.map((cursor) => cursor.id))).map((row) => [row.id, row]));
    const items = shown.flatMap((cursor) => {
      const thread = rows.get(cursor.id);
      return thread ? [{ thread, cursor }] : [];
    });
    const hasNextPage = cursors.length > request.limit;
    const last = items.at(-1);
    if (last && request.remember) await rememberPosition(database, request.viewer, { ...request, cursor: last.cursor });
    if (last || !hasNextPage) return { items, hasNextPage };
    after = shown.at(-1) ?? null;
  }
}
