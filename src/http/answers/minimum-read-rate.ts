/**
 * Large answers have to be taken at a minimum rate, as attachments have: one that is left unread would hold its user's room among
 * all large answers, and the memory of the process, for as long as the reader likes.
 */
import type { Context, Middleware } from 'koa';
import type { RateLimits } from '../minimum-rate.js';
import { sendContent } from './send-content.js';

/** What is smaller is mostly taken by the system at once; the limit on idle connections is enough for it. */
const smallAnswer = 65_536;

/** To be mounted around everything that answers. */
export function minimumReadRate(limits: RateLimits): Middleware {
  return async (ctx, next) => {
    await next();
    const content = contentOf(ctx);
    if (!content || content.length <= smallAnswer) return;
    ctx.body = sendContent(ctx, content, limits);
    ctx.length = content.length;
  };
}

function contentOf({ method, body }: Context): Buffer | null {
  if (method === 'HEAD') return null;
  // A character takes three bytes at most, so what is small is not copied.
  if (typeof body === 'string') return body.length * 3 > smallAnswer ? Buffer.from(body) : null;
  return Buffer.isBuffer(body) ? body : null;
}
