/**
 * Pages of the threads that a viewer may see, by keyset (sort key and id), never by offset. In the order "newest update
 * first", threads jump from the unread part to the top while a client pages. Each page therefore returns every thread
 * where it stood at the first page, whose snapshot is part of the cursor: no thread is skipped or repeated. In "oldest
 * update first", a thread that moves is returned again at the end, and none is skipped either. By activity, a thread that
 * moves may be skipped: whoever shows that order follows the threads that change as well.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { defaultPageSize } from '../../../contract.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleToSql } from '../visibility.js';
import type { PaginationSnapshot, ThreadCursor } from './thread-cursor.js';
import { type ThreadFilter, threadFilterSql } from './thread-filter.js';

export interface ThreadOrder {
  field: 'updated_at' | 'created_at' | 'active_at';
  direction: 'asc' | 'desc';
}

export interface ListThreadsOptions {
  viewer: Viewer;
  filter: ThreadFilter;
  order: ThreadOrder;
  after: ThreadCursor | null;
  limit: number;
}

export interface CursorPage {
  /** Of up to `limit + 1` threads, in order. */
  cursors: ThreadCursor[];
  /** Where the page ends if it ends early, before it is full; then more threads may follow. */
  end: ThreadCursor | null;
}

/** Returns the cursors of a page. The threads themselves are loaded by id. A search is read by `searchThreads` instead. */
export async function listThreads(database: PrismaClient, options: ListThreadsOptions): Promise<CursorPage> {
  return { cursors: cursorsOf(options, await database.$queryRaw<PageRow[]>(pageSql(options))), end: null };
}

export function cursorsOf(options: ListThreadsOptions, rows: readonly PageRow[]): ThreadCursor[] {
  return rows.map((row) => ({ position: row.position, id: row.id, pagination: snapshotOf(options, row) }));
}

export interface PageRow {
  id: string;
  position: string;
  snapshot: string;
  startedAt: string;
}

/** Whether each page returns the threads where they stood at the first page. */
export function needsSnapshot(order: ThreadOrder): boolean {
  return order.field === 'updated_at' && order.direction === 'desc';
}

function snapshotOf({ order, after }: ListThreadsOptions, row: PageRow): PaginationSnapshot | null {
  if (!needsSnapshot(order)) return null;
  return after?.pagination ?? { snapshot: row.snapshot, startedAt: row.startedAt };
}

/** The statement that reads a page. Exported so that a test can check its plan. */
export function pageSql(options: ListThreadsOptions): Prisma.Sql {
  return Prisma.sql`SELECT ${pageColumns} FROM (${pageOf(options)}) page ORDER BY ${orderOf(options.order)}`;
}

/** What a statement returns of each thread of `page`. What is the same for all of them is a subquery, evaluated once. */
export const pageColumns = Prisma.sql`page.id, ${momentText(Prisma.sql`page.position`)} AS position,
  (SELECT pg_current_snapshot()::text) AS snapshot, (SELECT ${momentText(Prisma.sql`clock_timestamp()`)}) AS "startedAt"`;

/** The order of the threads of `page`. */
export function orderOf(order: ThreadOrder): Prisma.Sql {
  return Prisma.sql`page.position ${directionSql(order)}, page.id ${directionSql(order)}`;
}

export interface Selection {
  /** The threads to choose from, as `t`. Default: all. */
  threads?: Prisma.Sql;
  /** Further columns, each after a comma. */
  columns?: Prisma.Sql;
}

/** The ids and positions of the first `limit + 1` threads after the cursor, in order. */
export function pageOf(options: ListThreadsOptions, selection: Selection = {}): Prisma.Sql {
  const { viewer, filter, order, after, limit } = options;
  const { threads = Prisma.sql`thread t`, columns = Prisma.empty } = selection;
  const where = Prisma.sql`${visibleToSql(viewer)} AND ${threadFilterSql(viewer, filter)}`;
  return after?.pagination && needsSnapshot(order)
    ? snapshotPage({ threads, columns, where }, { after, pagination: after.pagination, limit })
    : keysetPage({ threads, columns, where }, options);
}

interface PageParts extends Required<Selection> {
  where: Prisma.Sql;
}

function keysetPage({ threads, columns, where }: PageParts, { order, after, limit }: ListThreadsOptions): Prisma.Sql {
  const key = keyOf(order);
  const beyond = order.direction === 'desc' ? Prisma.sql`<` : Prisma.sql`>`;
  const start = after
    ? Prisma.sql`AND (${key}, t.id) ${beyond} (${after.position}::timestamptz, ${after.id})`
    : Prisma.empty;
  return Prisma.sql`
    SELECT t.id, ${key} AS position ${columns} FROM ${threads} WHERE ${where} ${start}
    ORDER BY ${key} ${directionSql(order)}, t.id ${directionSql(order)} LIMIT ${oneMoreThan(limit)}`;
}

/**
 * Threads that the snapshot sees are read by index. Those that moved since are the few with an update after the first
 * page; the minute before it covers transactions in progress at that time (statements end after 15 s).
 */
function snapshotPage(
  { threads, columns, where }: PageParts,
  options: { after: ThreadCursor; pagination: PaginationSnapshot; limit: number },
): Prisma.Sql {
  const { after, pagination, limit } = options;
  const seen = Prisma.sql`pg_visible_in_snapshot(t.moved_xid::text::xid8, ${pagination.snapshot}::pg_snapshot)`;
  const recent = Prisma.sql`(${pagination.startedAt}::timestamptz - interval '1 minute')`;
  const start = Prisma.sql`(${after.position}::timestamptz, ${after.id})`;
  return Prisma.sql`
    (SELECT t.id, t.updated_at AS position ${columns} FROM ${threads}
     WHERE ${where} AND (t.updated_at, t.id) < ${start} AND (t.updated_at <= ${recent} OR ${seen})
     ORDER BY t.updated_at DESC, t.id DESC LIMIT ${oneMoreThan(limit)})
    UNION ALL
    (SELECT t.id, stood.position ${columns} FROM ${threads} CROSS JOIN LATERAL (
       SELECT p.updated_at AS position FROM thread_position p
       WHERE p.thread_id = t.id AND pg_visible_in_snapshot(p.moved_xid::text::xid8, ${pagination.snapshot}::pg_snapshot)
       ORDER BY p.updated_at DESC LIMIT 1) stood
     WHERE ${where} AND t.updated_at > ${recent} AND NOT ${seen} AND (stood.position, t.id) < ${start}
     ORDER BY stood.position DESC, t.id DESC LIMIT ${oneMoreThan(limit)})
    ORDER BY position DESC, id DESC LIMIT ${oneMoreThan(limit)}`;
}

/** What the threads are sorted by; the thread is `t`. */
export function keyOf({ field }: ThreadOrder): Prisma.Sql {
  switch (field) {
    case 'updated_at':
      return Prisma.sql`t.updated_at`;
    case 'created_at':
      return Prisma.sql`t.created_at`;
    case 'active_at':
      return Prisma.sql`coalesce(t.active_at, t.updated_at)`;
  }
}

function directionSql(order: ThreadOrder): Prisma.Sql {
  return order.direction === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`;
}

/** Converts a timestamp to text that reads back as the same time in any time zone. */
export function momentText(moment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN isfinite(${moment}) THEN (${moment} AT TIME ZONE 'UTC')::text || '+00' ELSE ${moment}::text END`;
}

/**
 * The number of rows to read for a page of this size. The usual one is part of the text: for a limit that it does not know,
 * PostgreSQL makes a new plan each time.
 */
function oneMoreThan(limit: number): Prisma.Sql {
  return limit === defaultPageSize ? Prisma.raw(String(limit + 1)) : Prisma.sql`${limit + 1}`;
}
