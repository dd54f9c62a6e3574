/**
 * REST may be called from any web page: a bearer token is not sent by itself, so `*` without credentials gives nothing away.
 * Headers are listed by name, because `*` does not cover `Authorization`. A preflight is answered before authentication.
 */
import type { Middleware } from 'koa';

const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id';
const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Location, WWW-Authenticate, ETag, Idempotency-Replayed';

export function crossOrigin(): Middleware {
  return async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    if (ctx.method === 'OPTIONS' && ctx.get('access-control-request-method')) {
      ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, OPTIONS');
      ctx.set('Access-Control-Allow-Headers', allowedHeaders);
      ctx.set('Access-Control-Max-Age', '7200');
      ctx.status = 204;
      return;
    }
    await next();
  };
}
