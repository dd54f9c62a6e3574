/** The way out of `interrupted`: the thread accepts messages again (GraphQL only; REST has no such operation). */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { NotFoundError, ThreadNotInterruptedError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { monotonicNow } from '../../threads/clock.js';
import { visibleTo, visibleToSql } from '../../threads/visibility.js';
import type { Change } from './queue.js';

/** The update of a thread at rest that is `ready` from then on; `t` is the thread, and each further column is preceded by a comma. */
export function readySql(threadId: string, { from, condition, columns = Prisma.empty }: Change): Prisma.Sql {
  return Prisma.sql`
    UPDATE thread t SET state = 'ready', interrupt_reason = NULL, updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)} ${columns}
    WHERE t.id = ${threadId} AND t.state = ANY(${from}::thread_state[]) AND ${condition} RETURNING t.id`;
}

/**
 * Throws a `NotFoundError`, or a `ThreadNotInterruptedError` where the thread is in any state but `interrupted` and `ready`.
 * The row of the thread decides alone: one that is interrupted has no live response to lock.
 */
export async function resumeThread(database: PrismaClient, viewer: Viewer, id: string): Promise<void> {
  const resumed = await database.$queryRaw<unknown[]>(
    readySql(id, { from: ['interrupted'], condition: visibleToSql(viewer) }),
  );
  if (resumed.length > 0) return;
  const thread = await database.thread.findFirst({ where: { id, AND: [visibleTo(viewer)] }, select: { state: true } });
  if (!thread) throw new NotFoundError('thread');
  if (thread.state !== 'ready') throw new ThreadNotInterruptedError(thread.state);
}
