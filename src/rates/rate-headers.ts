import type { Middleware } from 'koa';
import { sourceOf } from './request-source.js';

/** Puts what the limits have said into the headers of every answer, refusals too. */
export function rateHeaders(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      if (!ctx.headerSent) ctx.set(sourceOf(ctx.req).headers);
    }
  };
}
