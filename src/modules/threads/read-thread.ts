/** Reads a thread by one statement, or leaves that to what reads its messages. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { type WholeRow, whole } from '../whole-row.js';
import { type RawThreadRow, rowColumns, rowOwner, type ThreadRow, threadOf } from './thread-row.js';
import { visibleToSql } from './visibility.js';

/** The thread, or null if it does not exist or the viewer may not see it. */
export async function readThread(database: PrismaClient, viewer: Viewer, id: string): Promise<ThreadRow | null> {
  const [row] = await database.$queryRaw<RawThreadRow[]>`
    SELECT ${rowColumns} FROM (SELECT t.* FROM thread t WHERE t.id = ${id} AND ${visibleToSql(viewer)}) page ${rowOwner}`;
  return row ? threadOf(row) : null;
}

/**
 * Stands for a thread of which nothing but the messages is asked for. Whether it exists and the viewer may see it is checked
 * by the statement that reads them.
 */
export interface UnreadThread extends WholeRow {
  id: string;
  isUnread: true;
}

export function unreadThread(id: string): UnreadThread {
  return whole({ id, isUnread: true as const });
}

/** Throws a `NotFoundError` unless the thread exists and the viewer may see it. */
export async function checkThread(database: PrismaClient, viewer: Viewer, id: string): Promise<void> {
  if (!(await readThread(database, viewer, id))) throw new NotFoundError('thread');
}
