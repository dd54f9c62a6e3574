/**
 * REST and GraphQL may be called from any web page: a bearer token is not sent by itself, so `*` without credentials gives
 * nothing away. Headers are listed by name, because `*` does not cover `Authorization`. A preflight is answered before
 * authentication.
 */
import type { Middleware } from 'koa';

const rest = {
  methods: 'GET, HEAD, POST, OPTIONS',
  headers: 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id',
};
const graphql = {
  methods: 'GET, POST, PUT, DELETE, OPTIONS',
  headers: 'Authorization, Content-Type, X-GraphQL-Event-Stream-Token, X-Request-Id',
};
const attachments = {
  methods: 'GET, HEAD, PUT, OPTIONS',
  headers: 'Authorization, Content-Type, If-None-Match, X-Request-Id',
};
const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Location, WWW-Authenticate, ETag, Idempotency-Replayed';

export function crossOrigin(): Middleware {
  return async (ctx, next) => {
    const allowed = allowedUnder(ctx.path);
    if (!allowed) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    if (ctx.method === 'OPTIONS' && ctx.get('access-control-request-method')) {
      ctx.set('Access-Control-Allow-Methods', allowed.methods);
      ctx.set('Access-Control-Allow-Headers', allowed.headers);
      ctx.set('Access-Control-Max-Age', '7200');
      ctx.status = 204;
      return;
    }
    await next();
  };
}

/** What a page of another site may send there; null for everything that is for no other site. */
function allowedUnder(path: string) {
  if (/^\/api(\/|$)/.test(path)) return rest;
  if (path.startsWith('/attachments/')) return attachments;
  return /^\/graphql(\/|$)/.test(path) ? graphql : null;
}
