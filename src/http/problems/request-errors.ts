/**
 * What every transport but GraphQL's refuses of a request as such: the type and the size of its body, and the page that it
 * comes from. The three have one code and one status wherever they come from; only the advice differs.
 */
import type { Problem } from './problems.js';

/** 415. `detail` says which type to send. */
export function unsupportedMediaType(detail: string): Problem {
  return { status: 415, code: 'unsupported_media_type', title: 'Unsupported media type', detail };
}

/** 415 for a body in a content coding; the header says which one is taken (RFC 9110, 12.5.3). */
export const encodedBody: Problem = {
  ...unsupportedMediaType('Send the body as it is, without "Content-Encoding": compressed bodies are not taken.'),
  headers: { 'Accept-Encoding': 'identity' },
};

/** 413. What the client still sends is not read, so the connection cannot be used again. */
export function payloadTooLarge(detail: string): Problem {
  const headers = { Connection: 'close' };
  return { status: 413, code: 'payload_too_large', title: 'Payload too large', detail, headers };
}

/** 403, where a browser may have been made to ask by another site. `advice` says from where to ask. */
export function possibleForgery(advice: string): Problem {
  const detail = `The request comes from a page of another site. ${advice}`;
  return { status: 403, code: 'possible_forgery', title: 'Forbidden', detail };
}
