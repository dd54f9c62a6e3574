/**
 * CORS: web pages of any origin may call REST and GraphQL. Browsers never send bearer tokens on their own, so `*`
 * without credentials is safe. Headers are listed by name, because `*` does not include `Authorization`. Preflight
 * requests need no authentication.
 */
import type { Middleware } from 'koa';

/**
 * Allowed request headers, in one list: those that the service reads, and those that common clients and tracers add,
 * without which browsers reject their requests.
 */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Cache-Control', 'If-None-Match', 'Range', 'X-Request-Id'],
  ...['Idempotency-Key', 'Last-Event-ID', 'Prefer', 'X-GraphQL-Event-Stream-Token', 'X-GraphQL-Yoga-CSRF'],
  // Apollo Client, urql and GraphiQL identify themselves, and prove that the request is no HTML form.
  ...['Apollographql-Client-Name', 'Apollographql-Client-Version', 'GraphQL-Client-Name', 'GraphQL-Client-Version'],
  ...['Apollo-Require-Preflight', 'X-Apollo-Operation-Name', 'X-Apollo-Operation-Id', 'X-Requested-With'],
  // W3C Trace Context, Baggage, and older tracing headers.
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

/** The methods that pages of other origins may use for a path; null if none. */
function methodsUnder(path: string): string | null {
  if (/^\/api(\/|$)/.test(path)) return allowedMethods.rest;
  if (path.startsWith('/attachments/')) return allowedMethods.attachments;
  return /^\/graphql(\/|$)/.test(path) ? allowedMethods.graphql : null;
}
