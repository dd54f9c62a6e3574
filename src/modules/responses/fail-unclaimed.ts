/** Threads that nobody picks up do not wait for ever: after a limit they end in `error`, with a reason. */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { nowAfter } from '../threads/clock.js';

const message = 'No worker picked up the message in time. Create a new thread to try again.';

/**
 * Ends the responses of threads that have been `waiting` for longer than `queueLimitMs`. Gives the database's time, in
 * milliseconds, because whoever looks after the table regularly needs to know it.
 */
export async function failUnclaimed(database: PrismaClient, queueLimitMs: number): Promise<number> {
  const [row] = await database.$queryRaw<{ nowMs: number }[]>`
    WITH stale AS (
      SELECT id FROM thread
      WHERE state = 'waiting' AND queued_at < clock_timestamp() - ${queueLimitMs}::double precision * interval '1 millisecond'
      ORDER BY queued_at LIMIT 100 FOR UPDATE SKIP LOCKED),
    failed AS (
      UPDATE thread t SET state = 'error', queued_at = NULL, epoch = t.epoch + 1, updated_at = ${nowAfter(Prisma.sql`t.updated_at`)}
      FROM stale WHERE t.id = stale.id RETURNING t.id, t.epoch),
    ended AS (
      UPDATE response r SET status = 'failed', finished_at = clock_timestamp(), epoch = failed.epoch,
        error_code = 'queue_timeout', error_message = ${message}
      FROM failed WHERE r.thread_id = failed.id AND r.status = 'queued'
      RETURNING pg_notify('response_changed', r.message_id))
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;
  if (!row) throw new Error('PostgreSQL did not say what time it is');
  return row.nowMs;
}
