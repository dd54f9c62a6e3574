/** Loads a page of the list: finds its threads by position, then loads them by id with the selected fields. */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { rememberPosition } from './list-position.js';
import { type ListThreadsOptions, listThreads } from './list-threads.js';
import { searchThreads } from './search-threads.js';
import type { ThreadCursor } from './thread-cursor.js';

export interface PageRequest extends ListThreadsOptions {
  /** Whether to remember the position of the last thread, so that its id works as a cursor. */
  remember: boolean;
}

export interface PageItem<Row> {
  thread: Row;
  cursor: ThreadCursor;
}

/**
 * Returns the threads of a page, in order, and whether more follow. `load` returns only threads that the viewer may
 * still see; a page that loses all its threads between the two statements is skipped.
 */
export async function loadPage<Row extends { id: string }>(
  database: PrismaClient,
  request: PageRequest,
  load: (ids: string[]) => Promise<Row[]>,
): Promise<{ items: PageItem<Row>[]; hasNextPage: boolean }> {
  const find = request.filter.q?.trim() ? searchThreads : listThreads;
  for (let { after } = request; ; ) {
    const cursors = await find(database, { ...request, after });
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
