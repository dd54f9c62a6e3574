import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';
import { type RawThreadRow, rowColumns, type ThreadRow, threadOf } from './thread-row.js';
import { visibleToSql } from './visibility.js';

/** The thread, or null if it does not exist or the viewer may not see it. */
export async function readThread(database: PrismaClient, viewer: Viewer, id: string): Promise<ThreadRow | null> {
  const [row] = await database.$queryRaw<RawThreadRow[]>`
    SELECT ${rowColumns} FROM (SELECT t.* FROM thread t WHERE t.id = ${id} AND ${visibleToSql(viewer)}) page`;
  return row ? threadOf(row) : null;
}
