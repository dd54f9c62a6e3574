import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { inTime, type Worker } from './claimed-response.js';
import { endSql } from './end-response.js';

/** A response that failed because no worker claimed it in time. */
export interface Unclaimed {
  threadId: string;
  messageId: string;
}

const message = 'No worker picked up the message in time. Create a new thread to try again.';

/** Fails the responses that have been queued for longer than `limitMs`. */
export function failUnclaimed(
  database: PrismaClient,
  worker: Worker,
  { limitMs }: { limitMs: number },
): Promise<Unclaimed[]> {
  return database.$queryRaw<Unclaimed[]>`
    WITH ending AS (
      SELECT t.id AS thread_id, r.message_id, 'failed'::response_status AS status, 'queue_timeout' AS error_code,
        ${message} AS error_message
      FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE t.state = 'waiting' AND r.status = 'queued' AND ${inTime(worker)}
        AND t.queued_at < now() - ${limitMs}::double precision * interval '1 millisecond'
      ORDER BY t.queued_at LIMIT 100 FOR UPDATE OF t, r SKIP LOCKED),
    ${endSql({ fences: true })}
    SELECT thread_id AS "threadId", message_id AS "messageId" FROM ended_response`;
}
