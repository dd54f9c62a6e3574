import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type ClaimedResponse, claimedBy, claimedColumns, fromNow, inTime, type Worker } from './claimed-response.js';
import { endSql } from './end-response.js';

/**
 * Reclaims runs whose lease has expired, or whose deadline has passed by more than one lease, within which a living
 * worker can still store its text. Runs with a stop request end as `interrupted`, runs without attempts or time left in
 * `error`. Runs of other workers are reclaimed before their lease expires if it was not renewed for `unrenewedMs`. Returns
 * the runs to start.
 */
export async function reclaim(
  database: PrismaClient,
  worker: Worker,
  slots: number,
  unrenewedMs = worker.lease.leaseMs,
): Promise<ClaimedResponse[]> {
  const { maxAttempts, leaseMs } = worker.lease;
  const isLeft = Prisma.sql`(r.lease_until < clock_timestamp()
    OR r.lease_until < ${fromNow(leaseMs - unrenewedMs)} AND r.worker_id <> ${worker.id})`;
  return claimedBy(
    database,
    Prisma.sql`
    WITH held AS (
      SELECT t.id AS thread_id, r.message_id, r.stop_reason, r.deadline_at < clock_timestamp() AS is_late,
        r.stop_reason IS NOT NULL OR r.attempt >= ${maxAttempts} OR r.deadline_at < clock_timestamp() AS is_over
      FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE r.status = 'running' AND (${isLeft} OR ${fromNow(-leaseMs)} > r.deadline_at)
        AND t.state = 'active' AND t.epoch = r.epoch AND ${inTime(worker)}
      LIMIT ${slots} FOR UPDATE OF t, r SKIP LOCKED),
    ending AS (
      SELECT thread_id, message_id, CASE WHEN stop_reason IS NULL THEN 'failed' ELSE 'interrupted' END::response_status AS status,
        CASE WHEN is_late THEN 'deadline_exceeded' ELSE 'worker_lost' END AS error_code,
        coalesce(stop_reason, CASE WHEN is_late THEN ${lateMessage} ELSE ${lostMessage} END) AS error_message
      FROM held WHERE is_over),
    ${endSql({ fences: true })},
    fenced AS (
      UPDATE thread t SET epoch = t.epoch + 1 FROM held WHERE t.id = held.thread_id AND NOT held.is_over
      RETURNING t.epoch, held.message_id),
    taken AS (
      UPDATE response r SET attempt = r.attempt + 1, epoch = fenced.epoch, worker_id = ${worker.id}, lease_until = ${fromNow(leaseMs)}
      FROM fenced WHERE r.message_id = fenced.message_id
      RETURNING ${claimedColumns}, wake('response_changed', r.message_id)::text AS notified)
    SELECT * FROM taken`,
  );
}

const lateMessage = 'The response exceeded its time limit. Continue the conversation in a new thread.';
const lostMessage = 'The response was lost too often. Continue the conversation in a new thread.';
