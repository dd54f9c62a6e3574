/** Over TLS alone: browsers are told so where people open the service over TLS, and nowhere else. */
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures/service.js';
import type { Person, TestService } from '../support/service.js';
import { Browser } from './browser.js';
import { linkSecret } from './people.js';

const query = 'subscription { threadsChanged { __typename } }';
const json = { 'content-type': 'application/json' };

/** The header of an answer whose body is not waited for: it may be a stream. */
async function strictness(
  service: TestService,
  ada: Person,
  path: string,
  { headers, ...init }: RequestInit = {},
  url = service.url,
) {
  const sent = { authorization: `Bearer ${ada.token}`, ...headers };
  const response = await fetch(new URL(path, url), { ...init, headers: sent });
  await response.body?.cancel();
  return { status: response.status, header: response.headers.get('strict-transport-security') };
}

describe('Strict-Transport-Security', () => {
  // Of what is found: `test/rest/http/http-edge.test.ts`.
  const stream = { ...json, accept: 'text/event-stream' };
  it.for<[number, string, RequestInit]>([
    [401, '/api/v1/me', { headers: { authorization: 'Bearer nonsense' } }],
    [404, '/api/v1/threads/thr_unknown', {}],
    [
      204,
      '/api/v1/me',
      { method: 'OPTIONS', headers: { origin: 'https://a.test', 'access-control-request-method': 'GET' } },
    ],
    [200, '/graphql', { method: 'POST', headers: json, body: '{"query": "{ me { sub } }"}' }],
    [200, '/graphql', { method: 'POST', headers: stream, body: JSON.stringify({ query }) }],
    [200, '/graphql/stream', { method: 'POST', headers: stream, body: JSON.stringify({ query }) }],
    [404, '/attachments/att_unknown', {}],
    [410, '/auth/link?token=unknown', {}],
  ] as const)('is in the answer behind TLS: %i %s', async ([status, path, init], { service, ada }) => {
    expect(await strictness(service, ada, path, init)).toEqual({ status, header: 'max-age=31536000' });
  });

  it.for([
    ['http', null],
    ['HTTP, https', null],
    ['https', 'max-age=31536000'],
    ['https, http', 'max-age=31536000'],
  ] as const)(
    'is for whoever came over TLS, as far as the proxy says: %s',
    async ([proto, header], { service, ada }) => {
      expect(await strictness(service, ada, '/healthz', { headers: { 'x-forwarded-proto': proto } })).toEqual({
        status: 200,
        header,
      });
    },
  );
});

describe('a service that people open without TLS', () => {
  it('never asks for TLS, and its cookies work without', async ({ service, ada }) => {
    const { url } = await service.addNode({ PUBLIC_URL: 'http://skein.test' });
    for (const proto of ['http', 'https']) {
      const { header } = await strictness(service, ada, '/healthz', { headers: { 'x-forwarded-proto': proto } }, url);
      expect(header).toBeNull();
    }
    const browser = new Browser(url, 'http://skein.test');
    const { status, headers } = await browser.post('/auth/sign-in/link', { token: await linkSecret(service, ada) });
    expect({ status, header: headers.get('strict-transport-security') }).toEqual({ status: 200, header: null });
    expect(headers.getSetCookie()[0]).toMatch(/^skein\.session_token=/);
    expect(headers.getSetCookie().join()).not.toContain('Secure');
    await browser.graphql('{ me { sub } }');
  });
});
