/**
 * Limits the memory of attachments in transit. Each user and organization has a share, so slow uploads of one do not
 * block others; clients below the minimum rate are disconnected.
 */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../builder.js';

/** The minimum that a file counts for, which limits the number of small files. */
const leastBytes = 65_536;

/**
 * Waits until the content fits into the shares of the user and the organization. The room is released when the response
 * has ended.
 */
export async function takeRoom(ctx: KoaContext, { transfers, viewer, signal }: Context, size: number): Promise<void> {
  const release = await transfers.acquire(viewer, { amount: Math.max(size, leastBytes), signal });
  if (ctx.res.closed) release();
  else ctx.res.once('close', () => release());
}
