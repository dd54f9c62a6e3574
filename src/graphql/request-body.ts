/**
 * Reads the bodies of GraphQL requests: only JSON, so that HTML forms of other sites cannot send operations, and at
 * most 1 MiB, counted while reading, because the libraries have no such limit. Extreme nesting is rejected before
 * parsing, which would take longer than the rest of the request.
 */
import { GraphQLError } from 'graphql';
import type { Context } from 'koa';
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

const quote = 0x22;
const backslash = 0x5c;
/** Square and curly brackets differ in this bit. */
const kindOfBracket = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Whether the JSON is nested deeper than `levels`, by brackets outside of strings. */
function isDeeperThan(levels: number, json: Uint8Array): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < json.length && depth <= levels; at += 1) {
    const byte = json[at] ?? 0;
    if (isString && byte === backslash) at += 1;
    else if (byte === quote) isString = !isString;
    else if (isString) continue;
    else if ((byte | kindOfBracket) === opening) depth += 1;
    else if ((byte | kindOfBracket) === closing) depth -= 1;
  }
  return depth > levels;
}

/** The header lists the accepted codings (RFC 9110, 12.5.3). */
function encoded(): GraphQLError {
  const http = { status: 415, headers: { 'accept-encoding': 'identity' } };
  const message = 'Send the operation as it is, without "Content-Encoding": compressed bodies are not taken.';
  return new GraphQLError(message, { extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http } });
}
