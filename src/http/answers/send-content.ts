import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { MinimumRate, type RateLimits } from '../minimum-rate.js';

/** How much is handed to the connection at a time. */
const chunkBytes = 65_536;

/**
 * The content in pieces, each handed over when the one before was taken. A reader below the minimum rate is cut off, until the
 * last byte is taken: what is left unread holds the memory of all.
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
