/** Queues a message: its thread becomes `waiting`, and its response can be claimed. */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import { monotonicNow } from '../../threads/clock.js';
import type { ThreadStateName } from '../../threads/state.js';

/**
 * The update of an existing thread that accepts a message. `condition` is a further condition in SQL, in which the thread has
 * the alias `t`. The thread's row alone decides: an idle thread has no live response to lock.
 */
export function waitSql(threadId: string, from: readonly ThreadStateName[], condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
      UPDATE thread t SET state = 'waiting', queued_at = clock_timestamp(), interrupt_reason = NULL, last_sequence = t.last_sequence + 2,
        updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)}
      WHERE t.id = ${threadId} AND t.state = ANY(${from}::thread_state[]) AND ${condition}
      RETURNING t.id, t.last_sequence, t.updated_at`;
}

/** The insertion of the response; `thread` is the statement's row of the thread, none if it was refused. */
export function queueSql(messageId: string): Prisma.Sql {
  return Prisma.sql`
      INSERT INTO response (message_id, thread_id, status, created_at)
      SELECT ${messageId}, id, 'queued', updated_at FROM thread`;
}
