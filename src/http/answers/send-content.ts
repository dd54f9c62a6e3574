import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { MinimumRate, type RateLimits } from '../minimum-rate.js';

/** Bytes per piece. */
export const pieceBytes = 131_072;

/** Returns `pieceBytes` from `start` on, or what is left. */
export type ReadPiece = (start: number) => Uint8Array | Promise<Uint8Array>;

/**
 * Sends the content in pieces, each of which is read when the client has taken the one before. Disconnects a client that
 * reads below the minimum rate until the last byte, because unread content occupies memory that all share.
 */
export function sendContent(ctx: Pick<Context, 'res'>, read: ReadPiece, limits: RateLimits): Readable {
  const rate = new MinimumRate(limits, () => ctx.res.destroy());
  ctx.res.once('close', () => rate.end());
  if (ctx.res.closed) rate.end();
  let sent = 0;
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      const send = (piece: Uint8Array) => {
        sent += piece.length;
        rate.count(piece.length);
        this.push(piece);
        if (piece.length < pieceBytes) this.push(null);
      };
      const piece = read(sent);
      if (piece instanceof Uint8Array) send(piece);
      else piece.then(send, (error: Error) => this.destroy(error));
    },
  });
}
