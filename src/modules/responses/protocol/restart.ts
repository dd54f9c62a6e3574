import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type ClaimedResponse, claimedBy, claimedColumns, fromNow, leftMs, type Worker } from './claimed-response.js';

/**
 * Starts the run over under a new epoch after a transient fault, once viewers have already seen text. Null if the attempts
 * or the time are used up, a stop was requested, or the run is no longer this worker's.
 */
export async function restart(
  database: PrismaClient,
  worker: Worker,
  run: ClaimedResponse,
): Promise<ClaimedResponse | null> {
  const [restarted] = await claimedBy(
    database,
    Prisma.sql`
    WITH held AS (
      SELECT t.id AS thread_id, r.message_id FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE t.id = ${run.threadId} AND t.state = 'active' AND t.epoch = ${run.epoch}
        AND r.message_id = ${run.messageId} AND r.status = 'running' AND r.epoch = t.epoch AND r.stop_reason IS NULL
        AND r.attempt < ${worker.lease.maxAttempts} AND ${leftMs(run)} > 0::float8
      FOR UPDATE OF t, r),
    fenced AS (
      UPDATE thread t SET epoch = t.epoch + 1 FROM held WHERE t.id = held.thread_id RETURNING t.epoch, held.message_id)
    UPDATE response r SET attempt = r.attempt + 1, epoch = fenced.epoch, lease_until = ${fromNow(worker.lease.leaseMs)}, deadline_at = ${fromNow(leftMs(run))}
    FROM fenced WHERE r.message_id = fenced.message_id
    RETURNING ${claimedColumns}, wake('response_changed', r.message_id)::text AS notified`,
  );
  return restarted ?? null;
}
