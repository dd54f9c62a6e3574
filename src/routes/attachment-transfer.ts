/**
 * Limits the memory of attachments in transit. Each user and organization has a share, so slow uploads of one do not
 * block others; clients below the minimum rate are disconnected.
 */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../builder.js';
import { QueueFullError } from '../platform/fairness/fair-semaphore.js';
import { BusyError } from '../platform/fairness/overload-errors.js';

/** The minimum that a file counts for, which limits the number of small files. */
const leastBytes = 65_536;
/** Maximum time to wait for room. */
const waitMs = 15_000;

/**
 * Waits until the content fits into the shares of the user and the organization. The room is released when the response
 * has ended.
 */
export async function takeRoom(ctx: KoaContext, { transfers, viewer, signal }: Context, size: number): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  try {
    const release = await transfers.acquire(viewer, { amount: Math.max(size, leastBytes), signal: limit });
    if (ctx.res.closed) release();
    else ctx.res.once('close', () => release());
  } catch (error) {
    if (error instanceof QueueFullError || error === limit.reason)
      throw new BusyError('Too many attachments are being transferred.');
    throw error;
  }
}
