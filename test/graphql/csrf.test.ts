/**
 * Requests that a browser could be made to send: without a bearer token, whatever else says who the caller is. What is refused
 * from forms and links is in `test/auth/forgery.test.ts`, and from which pages in `test/auth/origins.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { refuseForgery } from '../../src/graphql/authenticate-request.js';

function check(headers: Record<string, string>): string {
  try {
    refuseForgery({ get: (name: string) => headers[name] ?? '' }, { publicUrl: 'https://skein.test' });
    return 'accepted';
  } catch (error) {
    return String((error as { extensions?: { code?: string } }).extensions?.code);
  }
}

/** JSON for a host, by way of a proxy that says how it was spoken to. */
const asked = (host: string, proto: string) => ({
  'content-type': 'application/json',
  host,
  'x-forwarded-proto': proto,
});

const json = { 'content-type': 'application/json' };

describe('a request without a bearer token', () => {
  it.each([
    ['a form with a file', { 'content-type': 'multipart/form-data; boundary=b' }],
    [
      'JSON from our host without TLS, which was asked as well',
      { ...json, origin: 'http://skein.test', host: 'skein.test:80' },
    ],
    ['JSON from a host that is none', { ...asked('999.999.999.999', 'http'), origin: 'http://999.999.999.999' }],
  ])('is refused where it could be a forgery: %s', (_what, headers) => {
    expect(check(headers)).toBe('POSSIBLE_FORGERY');
  });

  it.each([
    ['JSON from our own page', { ...json, 'sec-fetch-site': 'same-origin' }],
    ['JSON from our own page, said by its origin', { ...json, origin: 'https://skein.test' }],
    ['JSON from the host that was asked', { ...json, origin: 'http://h:1', host: 'h:1' }],
    ['JSON from the host that was asked with TLS', { ...asked('h.test', 'https'), origin: 'https://h.test' }],
    [
      'JSON from the host that was asked with TLS at first',
      { ...asked('h.test', 'HTTPS, http'), origin: 'https://h.test' },
    ],
    ['JSON from the usual port of that host', { ...asked('h.test:443', 'https'), origin: 'https://h.test' }],
    ['JSON of a program', { 'content-type': 'application/json; charset=utf-8' }],
    ['a query by GET with Yoga’s header', { 'x-graphql-yoga-csrf': '1' }],
    ['a query by GET with Apollo’s header', { 'apollo-require-preflight': 'true', 'sec-fetch-site': 'same-origin' }],
  ])('is accepted where no form can send it: %s', (_what, headers) => {
    expect(check(headers)).toBe('accepted');
  });
});

it('a request with a bearer token is accepted from anywhere: no browser adds the token by itself', () => {
  expect(check({ authorization: 'Bearer x', 'sec-fetch-site': 'cross-site' })).toBe('accepted');
});
