import type { Middleware } from 'koa';
import { sourceOf } from './request-source.js';

/** Adds rate limit headers to every response, errors included. */
export function rateHeaders(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      if (!ctx.headerSent) ctx.set(sourceOf(ctx.req).headers);
    }
  };
}
