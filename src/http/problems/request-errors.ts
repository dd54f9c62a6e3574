/**
 * Problems with the type, size or origin of a request, shared by all transports except GraphQL's; only the advice
 * differs.
 */
import type { Problem } from './problems.js';

/** 415. `detail` names the media type to send. */
export function unsupportedMediaType(detail: string): Problem {
  return { status: 415, code: 'unsupported_media_type', title: 'Unsupported media type', detail };
}

/** 415 for a compressed body. The header lists the codings that are accepted (RFC 9110, 12.5.3). */
export const encodedBody: Problem = {
  ...unsupportedMediaType('Send the body without "Content-Encoding". Compressed bodies are not supported.'),
  headers: { 'Accept-Encoding': 'identity' },
};

/** 413. Closes the connection, because the rest of the body is not read. */
export function payloadTooLarge(detail: string): Problem {
  const headers = { Connection: 'close' };
  return { status: 413, code: 'payload_too_large', title: 'Payload too large', detail, headers };
}

/** 403 for a request that another site may have forged. `advice` tells where to send it from. */
export function possibleForgery(advice: string): Problem {
  const detail = `The request comes from a page of another site. ${advice}`;
  return { status: 403, code: 'possible_forgery', title: 'Forbidden', detail };
}
