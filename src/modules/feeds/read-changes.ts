/**
 * Which threads have changed since a reader looked last, as the viewer may know: each at most once, with its present state.
 * A thread that was taken from the viewer's sight is named by its id alone, and only to those who could have seen it before:
 * one that was always private, and what goes on in one since it was hidden, is never mentioned.
 *
 * Pages go up to the snapshot of the first one. What changes while they are read has a number that this snapshot does not
 * see, so it comes after them, and threads that change all the time cannot keep a reader from the end.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';
import { tokenLivesSql } from '../identity/living-token.js';
import { visibleToSql } from '../threads/visibility.js';
import type { ChangeCursor } from './change-cursor.js';
import { narrowSnapshot, oldestUnderWay } from './snapshot.js';

export interface ThreadChange {
  threadId: string;
  /** False where the thread was taken from the viewer's sight. */
  isVisible: boolean;
  /** The position after this change. */
  cursor: ChangeCursor;
}

export interface ChangePage {
  changes: ThreadChange[];
  /** The position after the page. */
  next: ChangeCursor;
  /** True where nothing more was to be read at that time. */
  isLast: boolean;
}

export interface ReadChangesOptions {
  viewer: Viewer;
  /** Without it there are no changes, only the present position. */
  after: ChangeCursor | null;
  limit: number;
}

/**
 * The next changes after a position. Null where the viewer's token has ended, and where the position is of another history
 * of the database: see `readHistory`.
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
  // Behind pages that were begun earlier comes what has changed since.
  return { changes, next: last?.cursor ?? end, isLast: isComplete && !after?.pagination };
}

/** The history of the database in which a position counts; it differs after a restore. */
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

/** The statement that reads a page: one row at least, since the position is told also where nothing changed. Exported for its plan. */
export function changesSql(options: ReadChangesOptions): Prisma.Sql {
  const { viewer, after } = options;
  const page = after
    ? pageSql(options, after)
    : Prisma.sql`SELECT NULL AS "threadId", NULL AS xid, NULL AS "isVisible" WHERE false`;
  return Prisma.sql`
    SELECT head.*, page."threadId", page.xid::text, page."isVisible" FROM (
      SELECT pg_current_snapshot()::text AS snapshot, thread_change_history() AS history,
        ${tokenLivesSql(viewer)} AS "tokenLives",
        coalesce((SELECT max(t.changed_xid) FROM thread t
          WHERE t.organization_id = ${viewer.organizationId} AND t.changed_xid < ${nextNumber}), 0)::text AS newest) head
    LEFT JOIN LATERAL (${page}) page ON true
    ORDER BY page.xid, page."threadId"`;
}

/** What has a later number was stored in another history, and counts only here from its next change on. */
const nextNumber = Prisma.sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/**
 * A thread that the viewer sees stands where it changed last; one that was taken from its sight stands where that happened, and
 * does not move by what its owner does later. So each stands where the viewer was last concerned, until that is so again.
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
    ORDER BY xid, "threadId" LIMIT ${limit + 1}`;
}

/** True, as SQL, for a number that the position has not seen; in the middle of pages, only up to their end. */
function isNews(xid: Prisma.Sql, { since, pagination }: ChangeCursor): Prisma.Sql {
  const isSeenIn = (snapshot: string) =>
    Prisma.sql`pg_visible_in_snapshot(${xid}::text::xid8, ${snapshot}::pg_snapshot)`;
  const further = pagination
    ? Prisma.sql`AND (${xid}, t.id) > (${BigInt(pagination.xid)}, ${pagination.threadId}) AND ${isSeenIn(pagination.until)}`
    : Prisma.empty;
  return Prisma.sql`
    ${xid} >= ${oldestUnderWay(since)} AND ${xid} < ${nextNumber} AND NOT ${isSeenIn(since)} ${further}`;
}
