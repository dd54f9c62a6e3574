/** Problems of `/auth/*` that occur before the sign-in library is called. */
import { notFound, type Problem } from '../http/problems/problems.js';
import { payloadTooLarge, possibleForgery, unsupportedMediaType } from '../http/problems/request-errors.js';

export const notServed: Problem = notFound('not_found', 'This way to sign in does not exist.');
export const otherSite: Problem = possibleForgery('Sign in on a page of this service.');
export const notJson: Problem = unsupportedMediaType('Send JSON, with "Content-Type: application/json".');
export const tooLarge: Problem = payloadTooLarge('The body is larger than any valid sign-in request.');

/** The OpenID Connect provider is unavailable. Users can retry later, or sign in with a password or link. */
export const providerAway: Problem = {
  status: 503,
  code: 'provider_unavailable',
  title: 'Service unavailable',
  detail: 'Your sign-in provider cannot be reached. Try again in a minute, or sign in another way.',
  headers: { 'Retry-After': '30' },
};
