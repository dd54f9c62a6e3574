import { Prisma } from '../../../../prisma/generated/client/client.js';
import { monotonicNow } from '../../threads/clock.js';

export interface End {
  /** Whether to increment the epoch, which fences the writes of the worker that runs the response. */
  fences: boolean;
  /** Whether the assistant's message is stored as well; it gets the next even sequence number. */
  hasAnswer?: boolean;
  /** Further columns of the response to set, each preceded by a comma. */
  columns?: Prisma.Sql;
}

/**
 * The one way a response ends: two parts of a statement, `ended_thread` and `ended_response`, after a part called `ending`
 * with the ids of the locked rows and how each ends (thread_id, message_id, status, error_code, error_message). The
 * thread's state follows from the status, and an interruption keeps its reason in both rows. Viewers are notified.
 */
export function endSql({ fences, hasAnswer = false, columns = Prisma.empty }: End): Prisma.Sql {
  return Prisma.sql`
    ended_thread AS (
      UPDATE thread t SET queued_at = NULL, epoch = t.epoch + ${fences ? 1 : 0}, last_sequence = t.last_sequence + ${hasAnswer ? 2 : 0},
        state = CASE ending.status WHEN 'succeeded' THEN 'ready' WHEN 'failed' THEN 'error' ELSE 'interrupted' END::thread_state,
        interrupt_reason = CASE ending.status WHEN 'interrupted' THEN ending.error_message END,
        updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)}
      FROM ending WHERE t.id = ending.thread_id
      RETURNING t.id, t.epoch, t.last_sequence, t.updated_at, ending.message_id, ending.status, ending.error_code, ending.error_message,
        t.name IS NULL AND t.generated_name IS NULL AS is_unnamed),
    ended_response AS (
      UPDATE response r SET status = ended.status, epoch = ended.epoch, lease_until = NULL, finished_at = clock_timestamp(),
        stop_reason = coalesce(r.stop_reason, CASE ended.status WHEN 'interrupted' THEN ended.error_message END),
        error_code = CASE ended.status WHEN 'interrupted' THEN 'response_interrupted' ELSE ended.error_code END,
        error_message = ended.error_message, charged_user_id = NULL, charged_token_id = NULL ${columns}
      FROM ended_thread ended WHERE r.message_id = ended.message_id
      RETURNING r.thread_id, r.message_id, r.status, wake('response_changed', r.message_id)::text AS notified)`;
}
