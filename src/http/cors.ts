/**
 * REST and GraphQL may be called from any web page: a bearer token is not sent by itself, so `*` without credentials gives
 * nothing away. Headers are listed by name, because `*` does not cover `Authorization`. A preflight is answered before
 * authentication.
 */
import type { Middleware } from 'koa';

/**
 * What a page may send anywhere, in one list: what the service reads, and what the usual clients and tracers add on their
 * own, without which a browser refuses their requests.
 */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Cache-Control', 'If-None-Match', 'Range', 'X-Request-Id'],
  ...['Idempotency-Key', 'Last-Event-ID', 'Prefer', 'X-GraphQL-Event-Stream-Token', 'X-GraphQL-Yoga-CSRF'],
  // Apollo Client, urql and GraphiQL name themselves, and show that their request is no form.
  ...['Apollographql-Client-Name', 'Apollographql-Client-Version', 'GraphQL-Client-Name', 'GraphQL-Client-Version'],
  ...['Apollo-Require-Preflight', 'X-Apollo-Operation-Name', 'X-Apollo-Operation-Id', 'X-Requested-With'],
  // W3C Trace Context, Baggage, and the older forms of tracers.
  ...['Traceparent', 'Tracestate', 'Baggage', 'Sentry-Trace', 'B3'],
].join(', ');

const allowedMethods = {
  rest: 'GET, HEAD, POST, OPTIONS',
  graphql: 'GET, POST, PUT, DELETE, OPTIONS',
  attachments: 'GET, HEAD, PUT, OPTIONS',
};
const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Location, WWW-Authenticate, ETag, Idempotency-Replayed';

export function crossOrigin(): Middleware {
  return async (ctx, next) => {
    const methods = methodsUnder(ctx.path);
    if (methods === null) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    if (ctx.method === 'OPTIONS' && ctx.get('access-control-request-method')) {
      ctx.set('Access-Control-Allow-Methods', methods);
      ctx.set('Access-Control-Allow-Headers', allowedHeaders);
      ctx.set('Access-Control-Max-Age', '7200');
      ctx.status = 204;
      return;
    }
    await next();
  };
}

/** How a page of another site may ask there; null for everything that is for no other site. */
function methodsUnder(path: string): string | null {
  if (/^\/api(\/|$)/.test(path)) return allowedMethods.rest;
  if (path.startsWith('/attachments/')) return allowedMethods.attachments;
  return /^\/graphql(\/|$)/.test(path) ? allowedMethods.graphql : null;
}
