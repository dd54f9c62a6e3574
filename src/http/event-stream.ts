/**
 * An answer of server-sent events, the same for every transport. No cache may keep it and no proxy may hold it back or compress
 * it. A connection whose client reads nothing for `stallMs` is closed, also when the last event is already written; there is
 * a ping every few seconds, so a silent source is no stall.
 */
import type { Readable } from 'node:stream';
import type { Context } from 'koa';

export function sendEventStream(ctx: Context, body: Readable, stallMs: number): void {
  ctx.remove('Content-Encoding');
  ctx.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  ctx.res.setTimeout(stallMs, () => ctx.res.destroy());
  ctx.body = body;
}
