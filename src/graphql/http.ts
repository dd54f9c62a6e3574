/**
 * `/graphql`, in front of Yoga, and what `/graphql/stream` has in common with it. Callers are authenticated before the body
 * is read. Subscriptions stream as server-sent events (`Accept: text/event-stream`).
 */
import type { Readable } from 'node:stream';
import { GraphQLError } from 'graphql';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '../builder.js';
import { closedSignal } from '../http/closed-signal.js';
import { sendEventStream } from '../http/event-stream.js';
import type { LimitsHit } from '../platform/metrics/limits-hit.js';
import { sourceOf } from '../platform/rates/request-source.js';
import { authenticateRequest } from './authenticate-request.js';
import { answerUnservedMethod, sendError, transportError } from './errors/http-errors.js';
import { readRequestBody } from './request-body.js';
import type { GraphqlSettings } from './settings.js';
import type { Yoga } from './yoga.js';

type GraphqlHttpOptions = Pick<GraphqlSettings, 'stallMs'> & { limitsHit: LimitsHit };

export function graphqlOverHttp(yoga: Yoga, { stallMs, limitsHit }: GraphqlHttpOptions): Middleware {
  return graphqlPath({ path: '/graphql', methods: ['GET', 'POST'], limitsHit }, async (ctx, gone) => {
    const opened = await authenticateRequest(ctx, yoga, gone);
    const response = await runOperation(yoga, await readOperation(ctx, opened, ctx.accepts().join(', ')), opened);
    // Yoga's response has no body.
    if (response.status === 406) throw transportError(406, 'NOT_ACCEPTABLE', notAcceptable);
    await pass(ctx, response, stallMs);
  });
}

const notAcceptable =
  'The operation can be answered as application/graphql-response+json or application/json, a subscription as text/event-stream. Name one of them in "Accept", or leave it out.';

interface GraphqlPath {
  path: string;
  methods: readonly string[];
  limitsHit: LimitsHit;
}

/** Serves a path. `gone` aborts when the response is sent or the caller leaves; a thrown `GraphQLError` is the response. */
export function graphqlPath(
  { path, methods, limitsHit }: GraphqlPath,
  serve: (ctx: KoaContext, gone: AbortSignal) => Promise<void>,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    sourceOf(ctx.req).route = path;
    const gone = closedSignal(ctx.res);
    try {
      if (!methods.includes(ctx.method)) return answerUnservedMethod(ctx, [...methods, 'OPTIONS']);
      await serve(ctx, gone);
    } catch (error) {
      // Yoga aborts the operation of a caller who left: nothing has failed, and nobody reads a response.
      if (gone.aborted && error === gone.reason) return;
      if (!(error instanceof GraphQLError)) throw error;
      limitsHit.see(error);
      sendError(ctx, error);
    }
  };
}

/** An operation as Yoga takes it. */
export interface OperationRequest {
  url: string;
  init: RequestInit;
}

/** Reads the operation of a request, for a response of the accepted types. Throws a `GraphQLError` of 413 or 415. */
export async function readOperation(
  ctx: KoaContext,
  { openAccess, viewer }: Context,
  accept: string,
): Promise<OperationRequest> {
  const { method, search } = ctx;
  const body = method === 'POST' ? await openAccess.during(viewer, readRequestBody(ctx)) : undefined;
  const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
  return { url: `http://localhost/graphql${search}`, init: { method, headers, ...(body && { body }) } };
}

/** Runs an operation through Yoga, until the signal of its context aborts. */
export async function runOperation(yoga: Yoga, { url, init }: OperationRequest, opened: Context): Promise<Response> {
  return yoga.fetch(url, { ...init, signal: opened.signal }, { opened });
}

/** The body of a streamed response. Yoga's classes, which are much faster than those of Node, make it a Node stream. */
export function streamOf({ body }: Response): Readable {
  return body as unknown as Readable;
}

async function pass(ctx: KoaContext, response: Response, stallMs: number): Promise<void> {
  ctx.status = response.status;
  response.headers.forEach((value, name) => {
    ctx.set(name, value);
  });
  ctx.set('Cache-Control', 'no-store, no-transform');
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) sendEventStream(ctx, streamOf(response), stallMs);
  else ctx.body = await response.text();
}
