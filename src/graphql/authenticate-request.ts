/**
 * Whoever calls over HTTP, authenticated before anything of the request is read. A bearer token is never sent by a browser on
 * its own; a caller who is known by a cookie could be another site that uses the browser of somebody signed in, and must
 * come from a page of ours, and show that its request was asked about first: by JSON, or by a header that no form can send.
 */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../builder.js';
import { isSameOrigin, type RequestHeaders } from '../http/same-origin.js';
import { sourceOf } from '../rates/request-source.js';
import type { Credentials } from '../server/caller.js';
import { transportError } from './http-errors.js';
import type { Yoga } from './yoga.js';

/** The headers by which the usual clients show it. */
const deliberateHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-graphql-event-stream-token'];

/**
 * The context for the operations of the caller; `signal` aborts when the caller is gone. Rejects with an
 * `UnauthenticatedError`, or with a `GraphQLError` of status 403 for what could be a forgery.
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

/** Throws where a browser could have been made to send the request without asking. */
export function refuseForgery(request: RequestHeaders, { publicUrl }: { publicUrl: string }): void {
  if (request.get('authorization')) return;
  const isDeliberate = deliberateHeaders.some((name) => request.get(name) !== '');
  const isJson = /^application\/json\s*(;|$)/i.test(request.get('content-type'));
  if (isSameOrigin(request, publicUrl) && (isDeliberate || isJson)) return;
  const message = 'Send the header "x-graphql-yoga-csrf: 1", from a page of this service, or use a token.';
  throw transportError(403, 'POSSIBLE_FORGERY', message);
}
