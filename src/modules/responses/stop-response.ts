/**
 * Stopping a response. Whoever runs it is asked, cuts its call to the model, and stores what was said so far; only where it
 * does not answer in time is the response ended without it, under a new epoch that fences the silent worker. A stop
 * names one response, so a late one cannot touch the next.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { nowAfter } from '../threads/clock.js';
import { visibleToSql } from '../threads/visibility.js';

export interface StopOptions {
  viewer: Viewer;
  messageId: string;
  /** For people; kept with the thread and the response. */
  reason: string;
  /** How long the worker may take. */
  limitMs?: number;
}

/**
 * Stops the response to a message. True where it was stopped, by this call or by another; false where it had ended by itself.
 * Resolves when that is stored. Throws a `NotFoundError` where the viewer sees no such response.
 */
export async function stopResponse(database: PrismaClient, options: StopOptions): Promise<boolean> {
  const deadlineMs = performance.now() + (options.limitMs ?? 3000);
  await requestStop(database, options);
  for (let pauseMs = 5; ; pauseMs = Math.min(100, pauseMs * 2)) {
    const status = await statusOf(database, options);
    if (status !== 'queued' && status !== 'running') return status === 'interrupted';
    if (performance.now() > deadlineMs) await forceStop(database, options);
    else await sleep(pauseMs);
  }
}

/** A response that waits ends at once; one that runs is marked, and its worker told. */
async function requestStop(database: PrismaClient, { viewer, messageId, reason }: StopOptions): Promise<void> {
  await database.$queryRaw`
    WITH target AS (
      SELECT t.id, t.state FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE r.message_id = ${messageId} AND r.status IN ('queued', 'running') AND ${visibleToSql(viewer)} FOR UPDATE OF t),
    withdrawn AS (
      UPDATE thread t SET state = 'interrupted', queued_at = NULL, epoch = t.epoch + 1, interrupt_reason = ${reason},
        updated_at = ${nowAfter(Prisma.sql`t.updated_at`)}
      FROM target WHERE t.id = target.id AND t.state = 'waiting' RETURNING t.id),
    ended AS (
      UPDATE response r SET status = 'interrupted', finished_at = clock_timestamp(), stop_reason = ${reason},
        error_code = 'response_interrupted', error_message = ${reason}
      FROM withdrawn WHERE r.message_id = ${messageId} AND r.status = 'queued'
      RETURNING pg_notify('response_changed', r.message_id)),
    asked AS (
      UPDATE response r SET stop_reason = coalesce(r.stop_reason, ${reason})
      FROM target WHERE r.message_id = ${messageId} AND r.status = 'running' AND target.state = 'active'
      RETURNING pg_notify('response_stop', r.message_id))
    SELECT count(*) FROM (SELECT * FROM ended UNION ALL SELECT * FROM asked) AS told`;
}

async function forceStop(database: PrismaClient, { viewer, messageId, reason }: StopOptions): Promise<void> {
  await database.$queryRaw`
    WITH stopped AS (
      UPDATE thread t SET state = 'interrupted', epoch = t.epoch + 1, interrupt_reason = ${reason},
        updated_at = ${nowAfter(Prisma.sql`t.updated_at`)}
      FROM response r WHERE r.message_id = ${messageId} AND r.status = 'running' AND t.id = r.thread_id
        AND t.state = 'active' AND t.epoch = r.epoch AND ${visibleToSql(viewer)}
      RETURNING t.id)
    UPDATE response r SET status = 'interrupted', lease_until = NULL, finished_at = clock_timestamp(), stop_reason = ${reason},
      error_code = 'response_interrupted', error_message = ${reason}
    FROM stopped WHERE r.message_id = ${messageId} AND r.status = 'running'
    RETURNING pg_notify('response_changed', r.message_id)::text`;
}

async function statusOf(database: PrismaClient, { viewer, messageId }: StopOptions): Promise<string> {
  const [row] = await database.$queryRaw<{ status: string }[]>`
    SELECT r.status::text FROM response r JOIN thread t ON t.id = r.thread_id
    WHERE r.message_id = ${messageId} AND ${visibleToSql(viewer)}`;
  if (!row) throw new NotFoundError('response');
  return row.status;
}
