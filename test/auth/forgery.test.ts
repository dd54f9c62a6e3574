/** What another site can make the browser of somebody do who is signed in: nothing. From which pages is in `origins.test.ts`. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import { signedIn } from './people.js';

const it = serviceTest().extend('browser', { scope: 'file' }, ({ service, ada }) => signedIn(service, ada));

const mutation = 'mutation { createThread(input: {text: "Forged"}) { __typename } }';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('GraphQL with a cookie', () => {
  it.for<[string, string, RequestInit]>([
    ['a form', '/graphql', { method: 'POST', headers: form, body: `query=${encodeURIComponent(mutation)}` }],
    ['a form that looks like JSON', '/graphql', post({ 'content-type': 'text/plain' })],
    ['a link', `/graphql?query=${encodeURIComponent('{ me { sub } }')}`, {}],
    [
      'a stream',
      `/graphql/stream?query=${encodeURIComponent('{ me { sub } }')}`,
      { headers: { accept: 'text/event-stream' } },
    ],
  ] as const)('is refused from %s', async ([_what, path, init], { service, browser }) => {
    const before = await service.database.thread.count();
    const response = await browser.fetch(path, init);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'POSSIBLE_FORGERY' } }] });
    expect(await service.database.thread.count()).toBe(before);
  });

  it.for<[string, string, RequestInit]>([
    ['JSON', '/graphql', post({ ...json, 'sec-fetch-site': 'same-origin' })],
    [
      'a query by GET with a header of ours',
      '/graphql?query=%7Bme%7Bsub%7D%7D',
      { headers: { 'x-graphql-yoga-csrf': '1' } },
    ],
  ] as const)('is answered from our own page: %s', async ([_what, path, init], { browser }) => {
    const response = await browser.fetch(path, init);
    expect(response.status).toBe(200);
    expect(await response.json()).not.toHaveProperty('errors');
  });

  it('rejects a mutation by GET from any origin', async ({ service, browser }) => {
    const before = await service.database.thread.count();
    const response = await browser.fetch(`/graphql?query=${encodeURIComponent(mutation)}`, {
      headers: { 'x-graphql-yoga-csrf': '1' },
    });
    expect(response.status).toBe(405);
    expect(await service.database.thread.count()).toBe(before);
  });

  it('allows no other site to read an answer with cookies', async ({ service, browser }) => {
    const response = await browser.fetch('/graphql', post(json));
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await fetch(`${service.url}/auth/get-session`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('an attachment with a cookie', () => {
  const upload = `mutation { a: uploadAttachment(input: {name: "a.txt", mediaType: "text/plain", size: 2}) {
    ... on AttachmentUpload { attachment { id } } } }`;

  it('is uploaded and read by our own pages, and by no other', async ({ browser }) => {
    const { a } = await browser.graphql(upload);
    const path = `/attachments/${a.attachment.id}`;
    const put = (site: string) =>
      browser.fetch(path, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain', 'sec-fetch-site': site },
        body: 'hi',
      });
    expect((await put('cross-site')).status).toBe(403);
    expect((await put('same-origin')).status).toBe(204);
    const read = (site: string) => browser.fetch(path, { headers: { 'sec-fetch-site': site } });
    expect((await read('cross-site')).status).toBe(403);
    expect(await (await read('same-origin')).text()).toBe('hi');
  });
});

describe('POST /auth/*', () => {
  it('refuses a form if it expects JSON', async ({ browser }) => {
    const response = await browser.fetch('/auth/sign-out', { method: 'POST', headers: form, body: 'a=b' });
    expect(response.status).toBe(415);
  });

  it.for([
    'POST /auth/sign-up/email',
    'POST /auth/update-user',
    'POST /auth/delete-user',
    'POST /auth/change-email',
    'POST /auth/request-password-reset',
    'POST /auth/sign-in/magic-link',
    'GET /auth/list-sessions',
    'POST /auth/sign-in/social',
    'GET /auth/error',
    'GET /auth/nothing',
  ])('does not exist where it is not ours: %s', async (endpoint, { browser }) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const init = method === 'POST' ? { method, headers: json, body: '{}' } : { method };
    const response = await browser.fetch(path, init);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  it('refuses an unreadable body with a 4xx status and no stack trace', async ({ browser }) => {
    const wrongType = '{"email": "ada@acme.test", "password": "x", "callbackURL": [1]}';
    for (const body of [wrongType, '{', '[]', 'null', '{"email": 1}', `{"email": "${'x'.repeat(20_000)}"}`]) {
      const response = await browser.fetch('/auth/sign-in/email', { method: 'POST', headers: json, body });
      const text = await response.text();
      expect({ body: body.slice(0, 20), isRefused: response.status >= 400 && response.status < 500 }).toEqual({
        body: body.slice(0, 20),
        isRefused: true,
      });
      expect(text).not.toMatch(/ {4}at |node_modules|\.ts|\.mjs/);
      if (body !== wrongType) continue;
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request', detail: expect.any(String) });
    }
  });
});

function post(headers: Record<string, string>): RequestInit {
  return { method: 'POST', headers, body: JSON.stringify({ query: mutation }) };
}
