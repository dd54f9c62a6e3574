/**
 * The body of a request, for every endpoint of GraphQL: only JSON, so that no form of another site can post an operation; and
 * at most 256 KiB, counted while reading, because the libraries behind have no such limit.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { limitExceeded, maximums } from './limits/limit-exceeded.js';
import { transportError } from './refusal.js';

/** The bytes. Throws a `GraphQLError` with status 413 or 415. */
export async function readBody(ctx: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^application\/json\s*(;|$)/i.test(ctx.get('content-type'))) {
    const message = 'Send the operation as JSON, with "Content-Type: application/json".';
    throw transportError(415, 'UNSUPPORTED_MEDIA_TYPE', message);
  }
  return readAtMost(ctx.req, maximums.bytes);
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
