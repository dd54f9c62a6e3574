/** The two statements that stop a response: the request to its worker, and the end without its worker. */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleToSql } from '../../threads/visibility.js';
import { endSql } from './end-response.js';

export interface Stop {
  viewer: Viewer;
  messageId: string;
  /** For people; kept with the thread and the response. */
  reason: string;
}

/**
 * Interrupts a queued response; marks a running one and notifies its worker. Does nothing if the response has ended or
 * the viewer cannot see it.
 */
export async function requestStop(database: PrismaClient, { viewer, messageId, reason }: Stop): Promise<void> {
  await database.$queryRaw`
    WITH held AS (
      SELECT t.id AS thread_id, r.message_id, r.status FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE r.message_id = ${messageId} AND (t.state, r.status) IN (('waiting', 'queued'), ('active', 'running'))
        AND ${visibleToSql(viewer)}
      FOR UPDATE OF t, r),
    ending AS (
      SELECT thread_id, message_id, 'interrupted'::response_status AS status, NULL::text AS error_code, ${reason} AS error_message
      FROM held WHERE status = 'queued'),
    ${endSql({ fences: true })},
    asked AS (
      UPDATE response r SET stop_reason = coalesce(r.stop_reason, ${reason})
      FROM held WHERE r.message_id = held.message_id AND held.status = 'running'
      RETURNING wake('response_stop', r.message_id)::text AS notified)
    SELECT notified FROM ended_response UNION ALL SELECT notified FROM asked`;
}

/**
 * Ends a running response under a new epoch, which fences a worker that does not respond; its unsaved text is lost.
 * False if the response has ended or the viewer cannot see it.
 */
export async function forceStop(database: PrismaClient, { viewer, messageId, reason }: Stop): Promise<boolean> {
  const stopped = await database.$queryRaw<unknown[]>`
    WITH ending AS (
      SELECT t.id AS thread_id, r.message_id, 'interrupted'::response_status AS status, NULL::text AS error_code,
        coalesce(r.stop_reason, ${reason}) AS error_message
      FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE r.message_id = ${messageId} AND r.status = 'running' AND t.state = 'active' AND t.epoch = r.epoch
        AND ${visibleToSql(viewer)}
      FOR UPDATE OF t, r),
    ${endSql({ fences: true })}
    SELECT notified FROM ended_response`;
  return stopped.length > 0;
}
