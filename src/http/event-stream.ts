/**
 * Sends a response of server-sent events, for every transport. Caches must not store it, and proxies must not buffer or
 * compress it. A connection whose client reads nothing for `stallMs` is closed, even after the last event; pings every
 * few seconds ensure that a silent source is not mistaken for a stall. Without `charset`, some clients, such as requests of
 * Python, read the text as ISO 8859-1.
 */
import type { Readable } from 'node:stream';
import type { Context } from 'koa';

export function sendEventStream(ctx: Context, body: Readable, stallMs: number): void {
  ctx.remove('Content-Encoding');
  ctx.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  ctx.res.setTimeout(stallMs, () => ctx.res.destroy());
  ctx.body = body;
}
