/**
 * `/graphql` in front of Yoga. Whoever calls must have a token before anything is read; only JSON is taken, so that no form
 * of another site can post an operation; and at most 256 KiB, counted while reading, because Yoga has no such limit.
 * Subscriptions stream as server-sent events (`Accept: text/event-stream`).
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { GraphQLError } from 'graphql';
import type { Context, Middleware } from 'koa';
import { limitExceeded, maxRequestBytes } from './limits.js';
import type { Yoga } from './yoga.js';

export interface GraphqlHttpOptions {
  /** How long a subscriber may take nothing of what is sent before its connection is closed. */
  stallMs: number;
}

export function graphqlOverHttp(yoga: Yoga, options: GraphqlHttpOptions = { stallMs: 60_000 }): Middleware {
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
  const caller = { authorization: ctx.get('authorization') || undefined, signal: abort.signal };
  const opened = await yoga.getEnveloped({ caller }).contextFactory();
  const body = ctx.method === 'POST' ? await readBody(ctx) : undefined;
  const request = new Request(`http://localhost${ctx.path}${ctx.search}`, {
    method: ctx.method,
    headers: headersOf(ctx.req),
    signal: abort.signal,
    ...(body ? { body } : {}),
  });
  return yoga.fetch(request, { opened });
}

async function readBody(ctx: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^application\/json\s*(;|$)/i.test(ctx.get('content-type'))) {
    throw new GraphQLError('Send the operation as JSON, with "Content-Type: application/json".', {
      extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http: { status: 415 } },
    });
  }
  return readAtMost(ctx.req, maxRequestBytes);
}

async function readAtMost(request: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw limitExceeded('bytes');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw limitExceeded('bytes');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** What extensions tell a transport, and no caller. */
interface Internals {
  http?: { status?: number; headers?: Record<string, string> };
  unexpected?: boolean;
}

/** An answer to the whole request, in the form that a client of GraphQL reads whatever the status. */
function refuse(ctx: Context, { message, extensions }: GraphQLError): void {
  const { http, unexpected: _, ...visible } = extensions as Internals & Record<string, unknown>;
  ctx.status = http?.status ?? 500;
  ctx.set({ 'Cache-Control': 'no-store', ...http?.headers });
  ctx.body = { errors: [{ message, extensions: visible }] };
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
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
    ctx.body = response.body ? Readable.fromWeb(response.body as ReadableStream) : null;
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
}
