/**
 * Authenticates callers over HTTP before the request is read, and prevents cross-site request forgery. Browsers never
 * send a bearer token on their own. A request with a session cookie could be forged by another site, so it must come
 * from a page of the same origin and be JSON or have a header that no HTML form can send.
 */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../builder.js';
import { isSameOrigin, type RequestHeaders } from '../http/same-origin.js';
import { sourceOf } from '../platform/rates/request-source.js';
import type { Credentials } from '../platform/server/caller.js';
import { transportError } from './errors/http-errors.js';
import type { Yoga } from './yoga.js';

/** Headers that common clients send to prove that they are not a form. */
const deliberateHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-graphql-event-stream-token'];

/**
 * Returns the context for the caller's operations; `signal` aborts when the caller disconnects. Rejects with an
 * `UnauthenticatedError`, or with a `GraphQLError` of status 403 for a possible forgery.
 */
export async function authenticateRequest(ctx: KoaContext, yoga: Yoga, signal: AbortSignal): Promise<Context> {
  const opened = await yoga
    .getEnveloped({ caller: { ...credentialsOf(ctx), signal, source: sourceOf(ctx.req) } })
    .contextFactory();
  refuseForgery(ctx, opened);
  return opened;
}

export function credentialsOf(request: RequestHeaders): Credentials {
  return { authorization: request.get('authorization') || undefined, cookie: request.get('cookie') || undefined };
}

/** Throws if another site could have made a browser send the request. */
export function refuseForgery(request: RequestHeaders, { publicUrl }: { publicUrl: string }): void {
  if (request.get('authorization')) return;
  const isDeliberate = deliberateHeaders.some((name) => request.get(name) !== '');
  const isJson = /^application\/json\s*(;|$)/i.test(request.get('content-type'));
  if (isSameOrigin(request, publicUrl) && (isDeliberate || isJson)) return;
  const message = 'Send the header "x-graphql-yoga-csrf: 1", from a page of this service, or use a token.';
  throw transportError(403, 'POSSIBLE_FORGERY', message);
}
