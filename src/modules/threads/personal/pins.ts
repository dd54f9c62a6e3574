/**
 * The threads that each person keeps at the top of their list. A pin belongs to a person: nobody sees those of others, and it
 * neither changes the thread nor moves it in the list of anybody else.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { maximumPins } from '../../../contract.js';
import { InvalidInputError, NotFoundError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { orNotFound } from '../../sql-state.js';
import { visibleToSql } from '../visibility.js';

/**
 * Pins a thread for the viewer, unless it is pinned already. Throws a `NotFoundError` if they cannot see it, and an
 * `InvalidInputError` if they have pinned as many as they may.
 */
export async function pinThread(database: PrismaClient, viewer: Viewer, threadId: string): Promise<void> {
  const pinned = database.$transaction(async (transaction) => {
    // Of pins in the same moment, the later one counts the earlier one.
    await transaction.$queryRaw`SELECT id FROM user_account WHERE id = ${viewer.userId} FOR NO KEY UPDATE`;
    return transaction.$queryRaw<{ isPinned: boolean }[]>(pinSql(viewer, threadId));
  });
  const [found] = await orNotFound('thread', pinned);
  if (!found) throw new NotFoundError('thread');
  if (found.isPinned) return;
  const message = `you have pinned ${maximumPins} threads, and cannot pin more; unpin one first`;
  throw new InvalidInputError([{ field: 'id', message }]);
}

function pinSql(viewer: Viewer, threadId: string): Prisma.Sql {
  return Prisma.sql`
    WITH chosen AS (SELECT t.id FROM thread t WHERE t.id = ${threadId} AND ${visibleToSql(viewer)}),
    known AS (SELECT p.thread_id FROM thread_pin p JOIN thread t ON t.id = p.thread_id
      WHERE p.user_id = ${viewer.userId} AND ${visibleToSql(viewer)}),
    pinned AS (INSERT INTO thread_pin (user_id, thread_id, pinned_at)
      SELECT ${viewer.userId}, chosen.id, clock_timestamp() FROM chosen
      WHERE (SELECT count(*) FROM known) < ${maximumPins} ON CONFLICT DO NOTHING)
    SELECT (SELECT count(*) FROM known) < ${maximumPins} OR chosen.id IN (SELECT thread_id FROM known) AS "isPinned"
    FROM chosen`;
}

/** Unpins a thread for the viewer, if it is pinned. Throws a `NotFoundError` if they cannot see it. */
export async function unpinThread(database: PrismaClient, viewer: Viewer, threadId: string): Promise<void> {
  const found = await database.$queryRaw<unknown[]>`
    WITH chosen AS (SELECT t.id FROM thread t WHERE t.id = ${threadId} AND ${visibleToSql(viewer)}),
    unpinned AS (DELETE FROM thread_pin p USING chosen WHERE p.user_id = ${viewer.userId} AND p.thread_id = chosen.id)
    SELECT id FROM chosen`;
  if (found.length === 0) throw new NotFoundError('thread');
}
