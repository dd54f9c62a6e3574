/**
 * Reads a JSON body within limits: 1 MiB counted while reading, valid UTF-8, at most 32 levels deep. A body beyond a
 * limit is rejected before it is parsed.
 */
import type { IncomingMessage } from 'node:http';
import { isDeeperThan } from '../http/json-depth.js';
import { isJsonInUtf8 } from '../http/json-type.js';
import { invalidRequest, ProblemError } from '../http/problems/problems.js';
import { encodedBody, payloadTooLarge, unsupportedMediaType } from '../http/problems/request-errors.js';
import { readBody } from '../http/read-body.js';

const maxBytes = 1024 * 1024;
const maxDepth = 32;

/** Reads and parses the body. Throws a `ProblemError` with status 400, 413 or 415. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!isJsonInUtf8(request.headers['content-type'] ?? '')) throw new ProblemError(notJson);
  const bytes = await readBody(request, {
    maxBytes,
    tooLarge: () => new ProblemError(bodyTooLarge),
    encoded: () => new ProblemError(encodedBody),
  });
  if (isDeeperThan(maxDepth, bytes)) throw malformed(`must not be nested deeper than ${maxDepth} levels`);
  return parse(decode(bytes));
}

export const notJson = unsupportedMediaType('Send the body as JSON in UTF-8, with "Content-Type: application/json".');
export const bodyTooLarge = payloadTooLarge('The body is larger than 1 MiB.');

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw malformed('is not valid UTF-8', error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed('is not valid JSON', error);
  }
}

function malformed(message: string, cause?: unknown): ProblemError {
  const error = new ProblemError(invalidRequest([{ pointer: '', message }]));
  error.cause = cause;
  return error;
}
