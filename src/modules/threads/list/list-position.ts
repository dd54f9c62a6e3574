/**
 * Remembers positions for REST, which pages by thread id (specification, Pagination, rule 1) although threads move. The
 * position of the last thread of each page is stored, one row per user, order and thread, so the next page continues
 * from where that thread was. Such positions never expire, and outlive their threads.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { InvalidCursorError } from '../../../errors.js';
import { isId } from '../../../ids.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleToSql } from '../visibility.js';
import { keyOf, momentText, needsSnapshot, type ThreadOrder } from './list-threads.js';
import { StoredPositions } from './stored-positions.js';
import { decodeThreadCursor, encodeThreadCursor, type ThreadCursor } from './thread-cursor.js';

/**
 * Resolves `after`, a cursor or a thread id, to a position. Throws an `InvalidCursorError` for anything else, and for
 * the id of a thread that does not exist or that the viewer neither sees nor was ever sent.
 */
export async function resolveAfter(
  database: PrismaClient,
  viewer: Viewer,
  { after, order }: { after: string; order: ThreadOrder },
): Promise<ThreadCursor> {
  if (!isId('thr', after)) return decodeThreadCursor(after);
  const [row] = await database.$queryRaw<PositionRow[]>`
    SELECT p.cursor, ${visibleToSql(viewer)} AS visible, ${momentText(keyOf(order))} AS position,
      pg_current_snapshot()::text AS snapshot, ${momentText(Prisma.sql`clock_timestamp()`)} AS "startedAt"
    FROM (SELECT ${after}::text AS id) asked LEFT JOIN thread t ON t.id = asked.id LEFT JOIN list_position p
      ON p.thread_id = asked.id AND p.user_id = ${viewer.userId} AND p."order" = ${nameOf(order)}`;
  if (row?.cursor) return decodeThreadCursor(row.cursor);
  if (!row?.visible) throw new InvalidCursorError();
  const pagination = needsSnapshot(order) ? { snapshot: row.snapshot, startedAt: row.startedAt } : null;
  return { position: row.position, id: after, pagination };
}

const storedIn = new WeakMap<PrismaClient, StoredPositions>();

/**
 * Stores the position of the last thread of a page, unless it was stored already (`stored-positions.ts`). Also by time of
 * creation, which never changes, because the thread may have become private by the next page. A crash of PostgreSQL may lose
 * the positions of its last second; paging then continues from where the thread is.
 */
export async function rememberPosition(
  database: PrismaClient,
  viewer: Viewer,
  { cursor, order, newest }: { cursor: ThreadCursor; order: ThreadOrder; newest: string | null },
): Promise<void> {
  const positions = storedIn.get(database) ?? new StoredPositions();
  storedIn.set(database, positions);
  const key = `${viewer.userId} ${nameOf(order)} ${cursor.id}`;
  if (positions.hasOneFor(key, cursor, newest)) return;
  await database.$executeRaw`
    INSERT INTO list_position (user_id, "order", thread_id, cursor)
    SELECT ${viewer.userId}, ${nameOf(order)}, ${cursor.id}, ${encodeThreadCursor(cursor)}
    FROM (SELECT set_config('synchronous_commit', 'off', true)) AS commits_without_waiting_for_the_disk
    ON CONFLICT (user_id, "order", thread_id) DO UPDATE SET cursor = excluded.cursor`;
  positions.add(key, cursor);
}

interface PositionRow {
  cursor: string | null;
  /** Null, as what follows but for the snapshot, if the thread does not exist. */
  visible: boolean | null;
  position: string;
  snapshot: string;
  startedAt: string;
}

function nameOf(order: ThreadOrder): string {
  return `${order.field} ${order.direction}`;
}
