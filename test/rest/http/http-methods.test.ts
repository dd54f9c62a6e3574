import { METHODS } from 'node:http';
import { describe, expect, vi } from 'vitest';
import { endpointCases, pathFor, prefixes } from '../access/endpoint-cases.js';
import { activeThread } from '../threads/thread-stages.js';
import { it } from './http-fixture.js';
import { exchange } from './raw-http.js';

const read = 'GET, HEAD, OPTIONS';
const both = 'GET, HEAD, POST, OPTIONS';
const paths = [
  ['/me', read],
  ['/threads', both],
  ['/threads/thr_1', read],
  ['/threads/thr_1/messages', both],
  ['/threads/thr_1/messages/msg_1/feedback', 'POST, OPTIONS'],
  ['/threads/thr_1/messages/msg_1/response', read],
  ['/threads/thr_1/messages/msg_1/response/stream', read],
  ['/openapi.json', read],
] as const;
const rows = prefixes.flatMap((prefix) => paths.map(([path, allow]) => [`${prefix}${path}`, allow] as const));

describe('a method that a path does not allow', () => {
  it.for(rows)('%s takes %s and answers every other method with 405', async ([path, allow], { client }) => {
    // All of them for one prefix, and those that people use for the other.
    const methods = path.startsWith('/api/v1/') ? METHODS : ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
    const refused = methods.filter((method) => method !== 'CONNECT' && !allow.split(', ').includes(method));
    expect(refused).toEqual(expect.arrayContaining(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']));
    for (const method of refused) {
      const { status, headers, body } = await client.send({ method, path });
      expect([method, status, headers.allow]).toEqual([method, 405, allow]);
      expect(headers['content-type']).toBe('application/problem+json');
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    }
  });

  it.for(['FOO', 'get', 'GETT'])(
    'ends the connection of a caller who uses the method %s',
    async (method, { service, ada }) => {
      const received = await exchange(service.url, `${method} /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect((await ada.rest.get('/me')).status).toBe(200);
    },
  );

  it('is no proxy: CONNECT ends the connection', async ({ service, ada }) => {
    expect(await exchange(service.url, 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n')).toBe('');
    expect((await ada.rest.get('/me')).status).toBe(200);
  });
});

describe('OPTIONS', () => {
  it.for(rows)('%s names its methods without a token', async ([path, allow], { client }) => {
    const { status, headers, body } = await client.send({ method: 'OPTIONS', path });
    expect([status, headers.allow, body]).toEqual([204, allow, '']);
  });

  it('answers 404 for a path that is not served', async ({ client }) => {
    expect((await client.send({ method: 'OPTIONS', path: '/api/v1/nowhere' })).status).toBe(404);
    expect((await client.send({ method: 'OPTIONS', path: '*' })).status).toBe(404);
  });

  it.for(rows)('%s answers a preflight without a token', async ([path], { client }) => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const reply = await client.send({ method: 'OPTIONS', path, headers });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('Authorization, Content-Type, '),
      'access-control-max-age': '7200',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('HEAD', () => {
  const reads = endpointCases.filter((each) => each.method === 'GET');
  const unlike = new Set(['date', 'x-request-id', 'transfer-encoding', 'connection', 'keep-alive', 'ratelimit']);
  const comparable = (headers: object) => Object.entries(headers).filter(([name]) => !unlike.has(name));

  it.for(reads.map((each) => [each.path, each] as const))(
    '%s answers as GET does, without a body',
    async ([_p, each], { client, ada, target }) => {
      const authorization = `Bearer ${ada.token}`;
      const elsewhere = { threadId: 'x', question: 'x', answer: 'x' };
      for (const [headers, where] of [
        [{ authorization }, target],
        [{ authorization }, elsewhere],
        [{}, target],
      ] as const) {
        const path = `/api/v1${pathFor(each, where)}`;
        const get = await client.send({ method: 'GET', path, headers });
        const head = await client.send({ method: 'HEAD', path, headers });
        expect([head.status, head.body]).toEqual([get.status, '']);
        expect(Object.fromEntries(comparable(head.headers))).toEqual(Object.fromEntries(comparable(get.headers)));
      }
    },
  );

  it('starts and follows nothing on a stream, and gives the connection back', async ({ service, client, ada }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    const requests = service.model.requests.length;
    const path = `/api/v1/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    const headers = { authorization: `Bearer ${ada.token}` };
    for (let round = 0; round < 3; round += 1) {
      const { status, headers: received, body } = await client.send({ method: 'HEAD', path, headers });
      expect([status, received['content-type'], body]).toEqual([200, 'text/event-stream', '']);
    }
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), { timeout: 10_000 });
    expect(service.model.requests.length).toBe(requests);
    expect((await client.send({ method: 'GET', path: '/api/v1/me', headers })).status).toBe(200);
    finish();
    expect((await ada.rest.streamToEnd(sent)).at(-1)?.event).toBe('done');
  });

  it('answers HEAD of the description like GET', async ({ client }) => {
    const path = '/api/v1/openapi.json';
    const get = await client.send({ method: 'GET', path });
    const head = await client.send({ method: 'HEAD', path });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
    expect(head.headers.etag).toBe(get.headers.etag);
  });
});
