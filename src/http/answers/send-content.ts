import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { MinimumRate, type RateLimits } from '../minimum-rate.js';

/** Bytes per chunk. */
const chunkBytes = 65_536;

/**
 * Sends the content in chunks, each after the previous one was read. Disconnects a client that reads below the minimum
 * rate until the last byte, because unread content occupies memory that all share.
 */
export function sendContent(ctx: Pick<Context, 'res'>, content: Uint8Array, limits: RateLimits): Readable {
  const rate = new MinimumRate(limits, () => ctx.res.destroy());
  ctx.res.once('close', () => rate.end());
  if (ctx.res.closed) rate.end();
  let sent = 0;
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      const piece = content.subarray(sent, sent + chunkBytes);
      sent += piece.length;
      rate.count(piece.length);
      this.push(piece.length > 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : null);
    },
  });
}
