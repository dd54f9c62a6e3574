/**
 * Stops a response: the worker that runs it cancels its model call and stores the text so far. If the worker does not
 * respond in time, the response is ended without it, under a new epoch that fences the worker. A stop names one
 * response, so a late one cannot affect the next. The wait is limited and ends when the caller leaves; the request
 * remains in the row and takes effect nevertheless.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, UnavailableError } from '../../errors.js';
import { pause } from '../../platform/async/time-limit.js';
import { threadOfSql, visibleToSql } from '../threads/visibility.js';
import { forceStop, requestStop, type Stop } from './protocol/stop.js';

export interface StopOptions extends Stop {
  /** How long to wait for the worker. */
  limitMs?: number;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
}

/** Attempts to end a response without its worker before the caller gets an error. */
const forcedTries = 3;

/**
 * Stops the response to a message. True if it was stopped, by this call or another; false if it had already ended.
 * Resolves when that is stored. Throws a `NotFoundError` if the viewer cannot see the response, and an
 * `UnavailableError` if it still runs after all attempts or the caller has left.
 */
export async function stopResponse(database: PrismaClient, options: StopOptions): Promise<boolean> {
  const { signal, limitMs = 3000 } = options;
  const deadlineMs = performance.now() + limitMs;
  await requestStop(database, options);
  for (let pauseMs = 5, tries = 0; ; pauseMs = Math.min(100, pauseMs * 2)) {
    const status = await statusOf(database, options);
    if (status !== 'queued' && status !== 'running') return status === 'interrupted';
    if (signal.aborted || tries === forcedTries) throw new UnavailableError();
    if (performance.now() > deadlineMs) {
      if (await forceStop(database, options)) return true;
      tries += 1;
    }
    await pause(pauseMs, signal);
  }
}

async function statusOf(database: PrismaClient, { viewer, messageId }: Stop): Promise<string> {
  const [row] = await database.$queryRaw<{ status: string }[]>`
    SELECT r.status::text FROM response r ${threadOfSql}
    WHERE r.message_id = ${messageId} AND ${visibleToSql(viewer)}`;
  if (!row) throw new NotFoundError('response');
  return row.status;
}
