/** What `/auth/*` refuses before anything of signing in begins. */
import type { Problem } from './rest/problems.js';

export const notServed: Problem = {
  status: 404,
  code: 'not_found',
  title: 'Not found',
  detail: 'There is no such way to sign in.',
};

export const otherSite: Problem = {
  status: 403,
  code: 'possible_forgery',
  title: 'Forbidden',
  detail: 'The request comes from a page of another site. Sign in on a page of this service.',
};

export const notJson: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  title: 'Unsupported media type',
  detail: 'Send JSON, with "Content-Type: application/json".',
};

/** What the client still sends is not read, so the connection cannot be used again. */
export const tooLarge: Problem = {
  status: 413,
  code: 'payload_too_large',
  title: 'Payload too large',
  detail: 'The body is larger than anything that signs somebody in.',
  headers: { Connection: 'close' },
};
