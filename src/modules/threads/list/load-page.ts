/** Loads a page of the list, and remembers where it ended. */
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

/** A thread at its place; null if the viewer may no longer see it. */
export type PlacedThread<Row> = PageItem<Row | null>;

/** Reads up to `limit + 1` threads, in order. */
export type ReadThreads<Row> = (options: ListThreadsOptions) => Promise<PlacedThread<Row>[]>;

/** Finds threads by position and loads them by id. `load` returns only threads that the viewer may still see. */
export function readById<Row extends { id: string }>(
  database: PrismaClient,
  load: (ids: string[]) => Promise<Row[]>,
): ReadThreads<Row> {
  return async (options) => {
    const find = isSearch(options) ? searchThreads : listThreads;
    const cursors = await find(database, options);
    const shown = cursors.slice(0, options.limit);
    const rows = new Map((await load(shown.map((cursor) => cursor.id))).map((row) => [row.id, row]));
    return cursors.map((cursor) => ({ cursor, thread: rows.get(cursor.id) ?? null }));
  };
}

export function isSearch({ filter }: Pick<ListThreadsOptions, 'filter'>): boolean {
  return Boolean(filter.q?.trim());
}

/**
 * Returns the threads of a page, in order, and whether more follow. A page that loses all its threads between two
 * statements is skipped.
 */
export async function loadPage<Row>(
  database: PrismaClient,
  request: PageRequest,
  read: ReadThreads<Row>,
): Promise<{ items: PageItem<Row>[]; hasNextPage: boolean }> {
  for (let { after } = request; ; ) {
    const placed = await read({ ...request, after });
    const shown = placed.slice(0, request.limit);
    const items = shown.flatMap(({ cursor, thread }) => (thread ? [{ cursor, thread }] : []));
    const hasNextPage = placed.length > request.limit;
    const last = items.at(-1);
    if (last && request.remember) await rememberPosition(database, request.viewer, { ...request, cursor: last.cursor });
    if (last || !hasNextPage) return { items, hasNextPage };
    after = shown.at(-1)?.cursor ?? null;
  }
}
