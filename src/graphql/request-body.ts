/**
 * The body of a request, for every endpoint of GraphQL: only JSON, so that no form of another site can post an operation; and
 * at most 256 KiB, counted while reading, because the libraries behind have no such limit.
 */
import { GraphQLError } from 'graphql';
import type { Context } from 'koa';
import { isJsonInUtf8 } from '../http/json-type.js';
import { readAtMost } from '../http/read-body.js';
import { limitExceeded, maximums } from './limits/limit-exceeded.js';
import { transportError } from './refusal.js';

/** The bytes. Throws a `GraphQLError` with status 413 or 415. */
export async function readBody(ctx: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (!isJsonInUtf8(ctx.get('content-type'))) {
    const message = 'Send the operation as JSON, with "Content-Type: application/json".';
    throw transportError(415, 'UNSUPPORTED_MEDIA_TYPE', message);
  }
  return new Uint8Array(
    await readAtMost(ctx.req, { maxBytes: maximums.bytes, tooLarge: () => limitExceeded('bytes'), encoded }),
  );
}

/** The header says which coding is taken (RFC 9110, 12.5.3). */
function encoded(): GraphQLError {
  const http = { status: 415, headers: { 'accept-encoding': 'identity' } };
  const message = 'Send the operation as it is, without "Content-Encoding": compressed bodies are not taken.';
  return new GraphQLError(message, { extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http } });
}
