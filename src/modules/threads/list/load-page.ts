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

export interface PlacedPage<Row> {
  /** Up to `limit + 1` threads, in order. */
  placed: PlacedThread<Row>[];
  /** Where the page ends if it ends early, before it is full; then more threads may follow. */
  end: ThreadCursor | null;
}

export type ReadThreads<Row> = (options: ListThreadsOptions) => Promise<PlacedPage<Row>>;

/** Finds threads by position and loads them by id. `load` returns only threads that the viewer may still see. */
export function readById<Row extends { id: string }>(
  database: PrismaClient,
  load: (ids: string[]) => Promise<Row[]>,
): ReadThreads<Row> {
  return async (options) => {
    const find = isSearch(options) ? searchThreads : listThreads;
    const { cursors, end } = await find(database, options);
    const shown = cursors.slice(0, options.limit).map(({ id }) => id);
    const rows = new Map(shown.length > 0 ? (await load(shown)).map((row) => [row.id, row]) : []);
    return { placed: cursors.map((cursor) => ({ cursor, thread: rows.get(cursor.id) ?? null })), end };
  };
}

export function isSearch({ filter }: Pick<ListThreadsOptions, 'filter'>): boolean {
  return Boolean(filter.q?.trim());
}

export interface LoadedPage<Row> {
  items: PageItem<Row>[];
  hasNextPage: boolean;
  /** Where the next page starts: after the last item or, if a search ended early, after the last thread it examined. */
  end: ThreadCursor | null;
}

/**
 * Returns the threads of a page, in order, and whether more may follow. A page that loses all its threads between two
 * statements is skipped, unless it is one of a search that ended early, because the next one may take as long.
 */
export async function loadPage<Row>(
  database: PrismaClient,
  request: PageRequest,
  read: ReadThreads<Row>,
): Promise<LoadedPage<Row>> {
  for (let { after } = request; ; ) {
    const page = await read({ ...request, after });
    const shown = page.placed.slice(0, request.limit);
    const items = shown.flatMap(({ cursor, thread }) => (thread ? [{ cursor, thread }] : []));
    const hasNextPage = page.end !== null || page.placed.length > request.limit;
    const last = items.at(-1)?.cursor ?? page.end;
    if (last && request.remember) {
      const newest = after === null ? (items[0]?.cursor.position ?? null) : null;
      await rememberPosition(database, request.viewer, { order: request.order, cursor: last, newest });
    }
    if (last || !hasNextPage) return { items, hasNextPage, end: page.end ?? last };
    after = shown.at(-1)?.cursor ?? null;
  }
}
