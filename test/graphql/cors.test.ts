/** Pages of other sites may call with a token of their own, and never with what a browser keeps. */
import { describe, expect } from 'vitest';
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
