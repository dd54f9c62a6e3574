/**
 * Reads the threads that have changed since a position, each at most once, with its present state. A thread that was
 * hidden from the viewer or deleted is reported by its id only, and only to viewers who could see it before: threads that
 * were always private, and changes after a thread was hidden, are never mentioned. Pages end at the snapshot of the first
 * page; later changes follow it, so threads that change all the time cannot keep a reader from catching up.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';
import { tokenLivesSql } from '../identity/tokens/living-token.js';
import { visibleToSql } from '../threads/visibility.js';
import type { ChangeCursor } from './change-cursor.js';
import { narrowSnapshot, oldestUnderWay } from './snapshot.js';

export interface ThreadChange {
  threadId: string;
  /** False if the thread was hidden from the viewer or deleted. */
  isVisible: boolean;
  /** The position after this change. */
  cursor: ChangeCursor;
}

export interface ChangePage {
  changes: ThreadChange[];
  /** The position after the page. */
  next: ChangeCursor;
  /** Whether nothing more was to be read at that time. */
  isLast: boolean;
}

export interface ReadChangesOptions {
  viewer: Viewer;
  /** Without a position, only the present position is read. */
  after: ChangeCursor | null;
  limit: number;
}

/**
 * Reads the next changes after a position. Null if the viewer's token has ended or the position belongs to another
 * history of the database (see `readHistory`).
 */
export async function readChanges(database: PrismaClient, options: ReadChangesOptions): Promise<ChangePage | null> {
  const { after, limit } = options;
  const rows = await database.$queryRaw<ChangeRow[]>(changesSql(options));
  const [head] = rows;
  if (!head?.tokenLives || (after && after.history !== head.history)) return null;
  const { history } = head;
  const until = after?.pagination?.until ?? narrowSnapshot(head.snapshot, BigInt(head.newest));
  const end: ChangeCursor = { history, since: until, pagination: null };
  const found = rows.flatMap(({ threadId, xid, isVisible }): ThreadChange[] => {
    if (!after || threadId === null || xid === null || isVisible === null) return [];
    return [{ threadId, isVisible, cursor: { history, since: after.since, pagination: { until, xid, threadId } } }];
  });
  const isComplete = found.length <= limit;
  const changes = found.slice(0, limit);
  const last = changes.at(-1);
  if (last && isComplete) last.cursor = end;
  // After a read that began earlier, there may be changes since.
  return { changes, next: last?.cursor ?? end, isLast: isComplete && !after?.pagination };
}

/** The id of the database's history; it differs after a restore. */
export async function readHistory(database: PrismaClient): Promise<string> {
  const [row] = await database.$queryRaw<{ history: string }[]>`SELECT thread_change_history() AS history`;
  return row?.history ?? '';
}

interface ChangeRow {
  snapshot: string;
  newest: string;
  history: string;
  tokenLives: boolean;
  threadId: string | null;
  xid: string | null;
  isVisible: boolean | null;
}

/**
 * The statement that reads a page. It returns at least one row, which has the position. Exported so that a test can
 * check its plan.
 */
export function changesSql(options: ReadChangesOptions): Prisma.Sql {
  const { viewer, after } = options;
  const page = after
    ? pageSql(options, after)
    : Prisma.sql`SELECT NULL AS "threadId", NULL AS xid, NULL AS "isVisible" WHERE false`;
  return Prisma.sql`
    SELECT head.*, page."threadId", page.xid::text, page."isVisible" FROM (
      SELECT pg_current_snapshot()::text AS snapshot, thread_change_history() AS history,
        ${tokenLivesSql(viewer)} AS "tokenLives",
        greatest(0, ${newestOf(viewer, Prisma.sql`thread`)}, ${newestOf(viewer, Prisma.sql`deleted_thread`)})::text AS newest) head
    LEFT JOIN LATERAL (${page}) page ON true
    ORDER BY page.xid, page."threadId"`;
}

function newestOf({ organizationId }: Viewer, table: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT max(t.changed_xid) FROM ${table} t
    WHERE t.organization_id = ${organizationId} AND t.changed_xid < ${nextNumber})`;
}

/** A later transaction id belongs to another history and counts only after the next change here. */
const nextNumber = Prisma.sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/**
 * Visible threads are ordered by their last change; hidden ones by the time when they were hidden, whatever their owner
 * does later. Deleted ones end with their deletion, for those who could see them until then.
 */
function pageSql({ viewer, limit }: ReadChangesOptions, after: ChangeCursor): Prisma.Sql {
  const inOrganization = Prisma.sql`t.organization_id = ${viewer.organizationId}`;
  const [changed, hidden] = [Prisma.sql`t.changed_xid`, Prisma.sql`t.hidden_xid`];
  return Prisma.sql`
    (SELECT t.id AS "threadId", ${changed} AS xid, true AS "isVisible" FROM thread t
     WHERE ${inOrganization} AND ${isNews(changed, after)} AND ${visibleToSql(viewer)}
     ORDER BY ${changed}, t.id LIMIT ${limit + 1})
    UNION ALL
    (SELECT t.id, ${hidden}, false FROM thread t
     WHERE ${inOrganization} AND ${isNews(hidden, after)} AND NOT ${visibleToSql(viewer)}
     ORDER BY ${hidden}, t.id LIMIT ${limit + 1})
    UNION ALL
    (SELECT t.id, ${changed}, false FROM deleted_thread t
     WHERE ${inOrganization} AND ${isNews(changed, after)} AND ${visibleToSql(viewer)}
     ORDER BY ${changed}, t.id LIMIT ${limit + 1})
    ORDER BY xid, "threadId" LIMIT ${limit + 1}`;
}

/** A condition for transaction ids that the position has not seen; between pages, only up to their end. */
function isNews(xid: Prisma.Sql, { since, pagination }: ChangeCursor): Prisma.Sql {
  const isSeenIn = (snapshot: string) =>
    Prisma.sql`pg_visible_in_snapshot(${xid}::text::xid8, ${snapshot}::pg_snapshot)`;
  const further = pagination
    ? Prisma.sql`AND (${xid}, t.id) > (${BigInt(pagination.xid)}, ${pagination.threadId}) AND ${isSeenIn(pagination.until)}`
    : Prisma.empty;
  return Prisma.sql`
    ${xid} >= ${oldestUnderWay(since)} AND ${xid} < ${nextNumber} AND NOT ${isSeenIn(since)} ${further}`;
}
