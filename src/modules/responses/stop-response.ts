/**
 * Stopping a response. Whoever runs it is asked, cuts its call to the model, and stores what was said so far; only where it
 * does not answer in time is the response ended without it, under a new epoch that fences the silent worker. A stop
 * names one response, so a late one cannot touch the next. The wait is bounded, and ends when the caller leaves: what was
 * asked for stands in the row, and is acted on without the caller.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Context } from '../../builder.js';
import { NotFoundError, UnavailableError } from '../../errors.js';
import { visibleToSql } from '../threads/visibility.js';
import { pause } from './generation/retry.js';
import { forceStop, requestStop, type Stop } from './protocol/stop.js';

type Turn = Pick<Context['turn'], 'lend'>;

export interface StopOptions extends Stop {
  /** How long the worker may take. */
  limitMs?: number;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
  /** The turn of the operation, which is lent while this waits. */
  turn?: Turn | undefined;
}

/** How often a response is ended without its worker before the caller is told that it cannot be. */
const forcedTries = 3;

/**
 * Stops the response to a message. True where it was stopped, by this call or by another; false where it had ended by itself.
 * Resolves when that is stored. Throws a `NotFoundError` where the viewer sees no such response, and an `UnavailableError`
 * where it still goes on after all tries, or the caller has left.
 */
export async function stopResponse(database: PrismaClient, options: StopOptions): Promise<boolean> {
  const { signal, turn, limitMs = 3000 } = options;
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
    await (turn ? turn.lend(() => pause(pauseMs, signal)) : pause(pauseMs, signal));
  }
}

async function statusOf(database: PrismaClient, { viewer, messageId }: Stop): Promise<string> {
  const [row] = await database.$queryRaw<{ status: string }[]>`
    SELECT r.status::text FROM response r JOIN thread t ON t.id = r.thread_id
    WHERE r.message_id = ${messageId} AND ${visibleToSql(viewer)}`;
  if (!row) throw new NotFoundError('response');
  return row.status;
}
