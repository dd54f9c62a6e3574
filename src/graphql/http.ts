/**
 * `/graphql` in front of Yoga: only JSON bodies, so that no form of another site can post one, and at most 256 KiB, counted
 * while reading, because Yoga itself has no limit. Subscriptions stream as server-sent events (`Accept: text/event-stream`).
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context, Middleware } from 'koa';
import type { Yoga } from './yoga.js';

const maxBytes = 256 * 1024;

export function graphqlOverHttp(yoga: Yoga): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    const body = await acceptedBody(ctx);
    if (body === null) return;
    const abort = new AbortController();
    ctx.res.once('close', () => abort.abort());
    const request = new Request(new URL(ctx.url, 'http://localhost'), {
      method: ctx.method,
      headers: headersOf(ctx.req),
      signal: abort.signal,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    await pass(ctx, await yoga.fetch(request));
  };
}

/** The body, or null where the request was refused. */
async function acceptedBody(ctx: Context): Promise<Buffer | null> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'OPTIONS') return Buffer.alloc(0);
  if (!/^application\/(graphql\+)?json\s*(;|$)/i.test(ctx.get('content-type'))) {
    return refuse(ctx, 415, 'Send the operation as JSON, with "Content-Type: application/json".');
  }
  const body = await readAtMost(ctx.req, maxBytes);
  return body ?? refuse(ctx, 413, 'The operation is larger than 256 KiB.');
}

function refuse(ctx: Context, status: number, message: string): null {
  ctx.status = status;
  if (status === 413) ctx.set('Connection', 'close');
  ctx.body = { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] };
  return null;
}

async function readAtMost(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

async function pass(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  response.headers.forEach((value, name) => {
    ctx.set(name, value);
  });
  ctx.set('Cache-Control', 'no-store, no-transform');
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    ctx.set('X-Accel-Buffering', 'no');
    ctx.remove('Content-Encoding');
    ctx.body = response.body ? Readable.fromWeb(response.body as ReadableStream) : null;
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
}
