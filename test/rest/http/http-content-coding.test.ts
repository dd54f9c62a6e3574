/**
 * Content codings and conditional requests after RFC 9110: what a caller refuses it does not get, each form of a content has
 * a tag of its own, and a caller who has a form is not sent it again, whatever its cache says beside.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import type { Person } from '../../support/service.js';
import { activeThread } from '../threads/thread-stages.js';
import { it } from './http-fixture.js';
import type { RawClient, RawReply } from './raw-http.js';

it.beforeAll(async ({ ada }) => {
  await ada.rest.readyThread({ text: 'x'.repeat(3000), name: 'A long one' });
});

const documents = ['/api/v1/openapi.json', '/api/v1-alpha0/openapi.json'] as const;
const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

function get(ada: Person, client: RawClient, path: string, headers: Record<string, string> = {}) {
  return client.sendForBytes({ method: 'GET', path, headers: { authorization: `Bearer ${ada.token}`, ...headers } });
}

function postGraphql(ada: Person, client: RawClient, body: object, headers: Record<string, string>) {
  const all = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', ...headers };
  return client.sendForBytes({ method: 'POST', path: '/graphql', headers: all, body: JSON.stringify(body) });
}

const codings: [accepted: string | null, expected: 'br' | 'gzip' | 'identity'][] = [
  [null, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['br;q=0.000', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['identity;q=0, *', 'br'],
  ['gzip;q=0.4, identity;q=0.9', 'identity'],
  ['deflate', 'identity'],
  ['zstd, compress', 'identity'],
  ['gzip;q=x', 'identity'],
];

const listQuery =
  '{ threads { edges { node { messages { edges { node { contents { __typename ... on TextBlock { text } } } } } } } } }';

/** What clients of GraphQL accept: of the standard, of the time before it, and all that the web application names. */
const operationTypes = [
  'application/graphql-response+json',
  'application/json',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
];

describe('Accept-Encoding', () => {
  it.for(codings)('%s gets %s', async ([accepted, expected], { ada, client }) => {
    const headers = accepted === null ? {} : { 'accept-encoding': accepted };
    expectCoding(await get(ada, client, documents[0], headers), expected);
  });

  it.for(['br', 'gzip', 'identity'] as const)(
    'is obeyed by every kind of answer: %s',
    async (coding, { ada, client }) => {
      const headers = { 'accept-encoding': coding };
      const [thread] = (await ada.rest.get<{ data: { id: string }[] }>('/threads')).body.data;
      for (const path of [...documents, `/api/v1/threads/${thread?.id}/messages`]) {
        expectCoding(await get(ada, client, path, headers), coding);
      }
      expectCoding(await postGraphql(ada, client, { query: listQuery }, headers), coding);
    },
  );

  function expectCoding({ status, headers, body }: RawReply<Buffer>, coding: keyof typeof decode): void {
    expect([status, headers['content-encoding'] ?? 'identity']).toEqual([200, coding]);
    expect(headers['vary']).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
    expect(JSON.parse(decode[coding](body).toString())).toBeTypeOf('object');
  }

  it.for(operationTypes)('compresses an operation to a third with "Accept: %s"', async (accept, { ada, client }) => {
    const send = (method: string, accepted: string) =>
      method === 'GET'
        ? get(ada, client, `/graphql?query=${encodeURIComponent(listQuery)}`, { accept, 'accept-encoding': accepted })
        : postGraphql(ada, client, { query: listQuery }, { accept, 'accept-encoding': accepted });
    for (const method of ['POST', 'GET']) {
      const plain = await send(method, 'identity');
      expect([method, plain.status, plain.headers['content-encoding']]).toEqual([method, 200, undefined]);
      for (const coding of ['br', 'gzip'] as const) {
        const { headers, body } = await send(method, coding);
        expect([method, headers['content-encoding'], headers['vary']]).toEqual([method, coding, 'Accept-Encoding']);
        expect(headers['content-type']).toBe(plain.headers['content-type']);
        expect(decode[coding](body).equals(plain.body)).toBe(true);
        expect(body.length).toBeLessThan(plain.body.length / 3);
      }
    }
  });

  it('leaves small answers uncompressed, unless the caller refuses that', async ({ ada, client }) => {
    expect(
      (await get(ada, client, '/api/v1/me', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
    const { headers, body } = await get(ada, client, '/api/v1/me', { 'accept-encoding': 'gzip, identity;q=0' });
    expect([headers['content-encoding'], JSON.parse(gunzipSync(body).toString()).sub]).toEqual(['gzip', ada.id]);
  });

  it('is obeyed by problems, and HEAD says what GET would', async ({ ada, client }) => {
    const path = '/api/v1/threads?sort_by=%E2%82%AC&limit=9x&after=yyyyyyyyyy';
    const problem = await get(ada, client, path, { 'accept-encoding': 'br, identity;q=0' });
    expect([problem.status, problem.headers['content-encoding']]).toEqual([400, 'br']);
    expect(problem.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(brotliDecompressSync(problem.body).toString())).toMatchObject({ status: 400 });
    for (const path of [...documents, '/api/v1/threads']) {
      const headers = { 'accept-encoding': 'gzip', authorization: `Bearer ${ada.token}` };
      const whole = await client.sendForBytes({ method: 'GET', path, headers });
      const head = await client.sendForBytes({ method: 'HEAD', path, headers });
      for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'content-type']) {
        expect([path, name, head.headers[name]]).toEqual([path, name, whole.headers[name]]);
      }
    }
  });

  it('never compresses a stream, which is neither cached nor buffered by a proxy', async ({ service, ada }) => {
    const { finish, threadId, messageId } = await activeThread({ service, rest: ada.rest });
    const stream = `/threads/${threadId}/messages/${messageId}/response/stream`;
    const sse = { 'accept-encoding': 'br, identity;q=0', accept: 'text/event-stream' };
    const rest = await ada.rest.fetch(stream, { headers: sse });
    const operation = { query: `subscription { responseEvents(messageId: "${messageId}") { __typename } }` };
    const headers = { ...sse, authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
    const open = (path: string) =>
      fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(operation) });
    const streams = [rest, await open('/graphql'), await open('/graphql/stream')];
    for (const response of streams) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
    }
    finish();
    for (const response of streams) await response.text();
  });

  it('compresses nothing that signs somebody in', async ({ ada, client }) => {
    const { headers } = await get(ada, client, '/auth/methods', { 'accept-encoding': 'br, identity;q=0' });
    expect(headers['content-encoding']).toBeUndefined();
  });
});

describe('a conditional request', () => {
  it.for(documents)('has a tag for each form of %s', async (path, { ada, client }) => {
    const forms = ['identity', 'gzip', 'br'].map((form) => get(ada, client, path, { 'accept-encoding': form }));
    const answers = await Promise.all(forms);
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(forms.map(() => 'no-cache'));
    const tags = answers.map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  it.for([
    ['the tag', (tag: string) => tag, 304],
    ['the tag as a weak one', (tag: string) => `W/${tag}`, 304],
    ['a list that has it', (tag: string) => `"a,b" , W/"c",${tag}`, 304],
    ['anything', () => '*', 304],
    ['another tag', () => '"another"', 200],
    ['a tag without quotes', (tag: string) => tag.replaceAll('"', ''), 200],
    ['the tag inside another', (tag: string) => `"x${tag.slice(1)}`, 200],
    ['nothing', () => '', 200],
  ] as const)('with %s, whatever its Cache-Control says', async ([_what, sent, expected], { ada, client }) => {
    for (const [accepted, cacheControl] of [
      ['br', 'no-cache'],
      ['gzip', 'max-age=0'],
      ['identity', 'no-store, no-cache'],
    ] as const) {
      const [path] = documents;
      const { headers } = await get(ada, client, path, { 'accept-encoding': accepted });
      const again = await get(ada, client, path, {
        'accept-encoding': accepted,
        'if-none-match': sent(String(headers.etag)),
        'cache-control': cacheControl,
      });
      expect([accepted, cacheControl, again.status]).toEqual([accepted, cacheControl, expected]);
      expect([again.headers.etag, again.headers['vary']]).toEqual([headers.etag, 'Accept-Encoding']);
      if (expected === 304) expect(again.body).toHaveLength(0);
    }
  });

  it('with the tag of another form is answered with this one', async ({ ada, client }) => {
    const [path] = documents;
    const { headers } = await get(ada, client, path, { 'accept-encoding': 'gzip' });
    const again = await get(ada, client, path, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    expect([again.status, again.headers['content-encoding']]).toEqual([200, 'br']);
  });
});
