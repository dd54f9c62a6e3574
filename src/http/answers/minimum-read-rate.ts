/**
 * Requires clients to read large responses at a minimum rate: an unread response would occupy its user's room and the
 * memory of the process for as long as the client likes.
 */
import type { Context, Middleware } from 'koa';
import type { RateLimits } from '../minimum-rate.js';
import { pieceBytes, sendContent } from './send-content.js';

/** Smaller responses usually fit into the system's buffers, and the timeout of idle connections covers the rest. */
const smallAnswer = 65_536;

/** Mount it around all middleware that sends responses. */
export function minimumReadRate(limits: RateLimits): Middleware {
  return async (ctx, next) => {
    await next();
    const content = contentOf(ctx);
    if (!content || content.length <= smallAnswer) return;
    ctx.body = sendContent(ctx, (start) => content.subarray(start, start + pieceBytes), limits);
    ctx.length = content.length;
  };
}

function contentOf({ method, body }: Context): Buffer | null {
  if (method === 'HEAD') return null;
  // Small texts need no copy.
  if (typeof body === 'string') return Buffer.byteLength(body) > smallAnswer ? Buffer.from(body) : null;
  return Buffer.isBuffer(body) ? body : null;
}
