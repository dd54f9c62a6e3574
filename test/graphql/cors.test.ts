/**
 * Pages of other sites may call with a token of their own, and never with what a browser keeps: what a browser could be made to send is
 * refused without a bearer token, whatever else says who the caller is. What is refused from forms and links is in
 * `test/auth/forgery.test.ts`, and from which pages in `test/auth/origins.test.ts`.
 */
import { describe, expect, it as pure } from 'vitest';
import { refuseForgery } from '../../src/graphql/authenticate-request.js';
import { it } from '../support/fixtures/service.js';

const elsewhere = { origin: 'https://elsewhere.test' };

describe.each(['/graphql', '/graphql/stream'])('another site at %s', (path) => {
  it('gets an answer to its preflight without a token', async ({ service }) => {
    const { status, headers } = await fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        ...elsewhere,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-graphql-event-stream-token',
      },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE, OPTIONS');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-graphql-event-stream-token']));
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('may read every answer, even a refusal, and none allows credentials', async ({ service, ada }) => {
    for (const token of [ada.token, 'none']) {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { ...elsewhere, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"query": "{ me { sub } }"}',
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });
});

describe('the headers that a page of another site may send', () => {
  const byClients = {
    'Apollo Client': ['apollographql-client-name', 'apollographql-client-version', 'apollo-require-preflight'],
    'Apollo Kotlin and iOS': ['x-apollo-operation-name', 'x-apollo-operation-id'],
    'graphql-sse': ['x-graphql-event-stream-token', 'cache-control'],
    'GraphiQL and Yoga': ['x-graphql-yoga-csrf', 'x-requested-with', 'graphql-client-name', 'graphql-client-version'],
    'tracers after W3C': ['traceparent', 'tracestate', 'baggage'],
    'readers of streams': ['last-event-id'],
    'caches and downloads': ['if-none-match', 'range'],
    'the REST interface': ['idempotency-key', 'prefer', 'x-request-id', 'authorization', 'content-type'],
  };
  const paths = ['/graphql', '/graphql/stream', '/attachments/att_1', '/api/v1/threads', '/api/v1-alpha0/openapi.json'];

  it.for(Object.entries(byClients))('are those of %s, everywhere', async ([_client, names], { service }) => {
    for (const path of paths) {
      const { headers } = await fetch(`${service.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          ...elsewhere,
          'access-control-request-method': 'GET',
          'access-control-request-headers': names.join(),
        },
      });
      const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect([path, ...names.filter((name) => !allowed?.includes(name))]).toEqual([path]);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });
});

describe('another site anywhere else', () => {
  it.for(['/', '/healthz', '/metrics', '/graphqlx', '/sign-in'])('is told nothing: %s', async (path, { service }) => {
    const { headers } = await fetch(`${service.url}${path}`, { headers: elsewhere });
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});

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
  pure.each([
    ['a form with a file', { 'content-type': 'multipart/form-data; boundary=b' }],
    [
      'JSON from our host without TLS, which was asked as well',
      { ...json, origin: 'http://skein.test', host: 'skein.test:80' },
    ],
    ['JSON from a host that is none', { ...asked('999.999.999.999', 'http'), origin: 'http://999.999.999.999' }],
  ])('is refused where it could be a forgery: %s', (_what, headers) => {
    expect(check(headers)).toBe('POSSIBLE_FORGERY');
  });

  pure.each([
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

pure('a request with a bearer token is accepted from anywhere: no browser adds the token by itself', () => {
  expect(check({ authorization: 'Bearer x', 'sec-fetch-site': 'cross-site' })).toBe('accepted');
});
