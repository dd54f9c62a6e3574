/**
 * The memory that attachments take on their way in and out. Each user and each organization has a share of it, so slow uploads of
 * one keep nobody else from an attachment; and whoever is slower than the minimum rate loses the connection.
 */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../builder.js';
import { QueueFullError } from '../fairness/fair-semaphore.js';
import { BusyError } from '../fairness/overload-errors.js';

/** What a small file counts for, so that their number is bounded too. */
const leastBytes = 65_536;
/** How long somebody waits for room at most. */
const waitMs = 15_000;

/**
 * Waits until the content fits into the user's and the organization's share of the memory that all transfers have together, which
 * it keeps until the answer is over.
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
