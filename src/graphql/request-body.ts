/**
 * Reads the bodies of GraphQL requests: only JSON, so that HTML forms of other sites cannot send operations, and at
 * most 1 MiB, counted while reading, because the libraries have no such limit. Extreme nesting is rejected before
 * parsing, which would take longer than the rest of the request.
 */
import { GraphQLError } from 'graphql';
import type { Context } from 'koa';
import { isDeeperThan } from '../http/json-depth.js';
import { isJsonInUtf8 } from '../http/json-type.js';
import { readBody } from '../http/read-body.js';
import { transportError } from './errors/http-errors.js';
import { limitExceeded, maximums } from './limits/limit-exceeded.js';

/** Maximum nesting: far above the limit on variables, which is checked after parsing. */
const maxDepth = 2 * maximums.variables;

/** Reads the body. Throws a `GraphQLError` with status 400, 413 or 415. */
export async function readRequestBody(ctx: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (!isJsonInUtf8(ctx.get('content-type'))) {
    const message = 'Send the operation as JSON, with "Content-Type: application/json".';
    throw transportError(415, 'UNSUPPORTED_MEDIA_TYPE', message);
  }
  const limits = { maxBytes: maximums.bytes, tooLarge: () => limitExceeded('bytes'), encoded };
  const bytes = new Uint8Array(await readBody(ctx.req, limits));
  if (isDeeperThan(maxDepth, bytes)) throw limitExceeded('variables');
  return bytes;
}

/** The header lists the accepted codings (RFC 9110, 12.5.3). */
function encoded(): GraphQLError {
  const http = { status: 415, headers: { 'accept-encoding': 'identity' } };
  const message = 'Send the operation as it is, without "Content-Encoding": compressed bodies are not taken.';
  return new GraphQLError(message, { extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http } });
}
