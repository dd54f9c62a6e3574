/**
 * `/graphql`, in front of Yoga. Callers are authenticated before the body is read. Subscriptions stream as server-sent
 * events (`Accept: text/event-stream`).
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { GraphQLError } from 'graphql';
import type { Context, Middleware } from 'koa';
import { closedSignal } from '../http/closed-signal.js';
import { sendEventStream } from '../http/event-stream.js';
import type { LimitsHit } from '../platform/metrics/limits-hit.js';
import { sourceOf } from '../platform/rates/request-source.js';
import { authenticateRequest } from './authenticate-request.js';
import { answerUnservedMethod, sendError, transportError } from './errors/http-errors.js';
import { readRequestBody } from './request-body.js';
import type { GraphqlSettings } from './settings.js';
import type { Yoga } from './yoga.js';

export type GraphqlHttpOptions = Pick<GraphqlSettings, 'stallMs'> & { limitsHit: LimitsHit };

export function graphqlOverHttp(yoga: Yoga, options: GraphqlHttpOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    sourceOf(ctx.req).route = '/graphql';
    const gone = closedSignal(ctx.res);
    try {
      if (!methods.includes(ctx.method)) return answerUnservedMethod(ctx, [...methods, 'OPTIONS']);
      await pass(ctx, await answer(ctx, yoga, gone), options);
    } catch (error) {
      // Yoga aborts the operation of a caller who left: nothing has failed, and nobody reads a response.
      if (gone.aborted && error === gone.reason) return;
      if (!(error instanceof GraphQLError)) throw error;
      options.limitsHit.see(error);
      sendError(ctx, error);
    }
  };
}

const methods = ['GET', 'POST'];

/** Runs the request through Yoga. Throws a `GraphQLError` for a request that Yoga does not see. */
async function answer(ctx: Context, yoga: Yoga, signal: AbortSignal): Promise<Response> {
  const opened = await authenticateRequest(ctx, yoga, signal);
  const { openAccess, viewer } = opened;
  const body = ctx.method === 'POST' ? await openAccess.during(viewer, readRequestBody(ctx)) : undefined;
  // Yoga's classes are much faster than Node's.
  const { Request, Headers } = yoga.fetchAPI;
  const request = new Request(`http://localhost${ctx.path}${ctx.search}`, {
    method: ctx.method,
    headers: copyHeaders(ctx.req, new Headers()),
    signal,
    ...(body ? { body } : {}),
  });
  const response = await yoga.fetch(request, { opened });
  // Yoga's response has no body.
  if (response.status === 406) throw transportError(406, 'NOT_ACCEPTABLE', notAcceptable);
  return response;
}

const notAcceptable =
  'The operation can be answered as application/graphql-response+json or application/json, a subscription as text/event-stream. Name one of them in "Accept", or leave it out.';

function copyHeaders(request: IncomingMessage, headers: Headers): Headers {
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

async function pass(ctx: Context, response: Response, { stallMs }: GraphqlHttpOptions): Promise<void> {
  ctx.status = response.status;
  response.headers.forEach((value, name) => {
    ctx.set(name, value);
  });
  ctx.set('Cache-Control', 'no-store, no-transform');
  const { body } = response;
  if (body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    // With Yoga's classes this is a Node stream.
    sendEventStream(ctx, body as unknown as Readable, stallMs);
  } else {
    ctx.body = await response.text();
  }
}
