/**
 * `/graphql` in front of Yoga. Whoever calls must have a token before anything is read. Subscriptions stream as server-sent
 * events (`Accept: text/event-stream`).
 */
import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Context, Middleware } from 'koa';
import { openCaller } from './open-caller.js';
import { refuse } from './refusal.js';
import { readBody } from './request-body.js';
import { defaultGraphqlSettings, type GraphqlSettings } from './settings.js';
import type { Yoga } from './yoga.js';

export type GraphqlHttpOptions = Pick<GraphqlSettings, 'stallMs'>;

export function graphqlOverHttp(yoga: Yoga, options: GraphqlHttpOptions = defaultGraphqlSettings): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    try {
      await pass(ctx, await answer(ctx, yoga), options);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      refuse(ctx, error);
    }
  };
}

/** Yoga's answer. Throws a `GraphQLError` for a request that Yoga does not get to see. */
async function answer(ctx: Context, yoga: Yoga): Promise<Response> {
  const abort = new AbortController();
  ctx.res.once('close', () => abort.abort());
  const opened = await openCaller(ctx, yoga, abort.signal);
  const body = ctx.method === 'POST' ? await readBody(ctx) : undefined;
  // Not Node's own classes: making and reading those takes longer than many an operation.
  const { Request, Headers } = yoga.fetchAPI;
  const request = new Request(`http://localhost${ctx.path}${ctx.search}`, {
    method: ctx.method,
    headers: copyHeaders(ctx.req, new Headers()),
    signal: abort.signal,
    ...(body ? { body } : {}),
  });
  return yoga.fetch(request, { opened });
}

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
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    ctx.set('X-Accel-Buffering', 'no');
    ctx.remove('Content-Encoding');
    // A connection over which nothing goes is one that does not read: there is a ping every few seconds.
    ctx.res.setTimeout(stallMs, () => ctx.res.destroy());
    // With Yoga's classes this is a stream of Node, too.
    ctx.body = response.body;
  } else {
    ctx.body = await response.text();
  }
}
