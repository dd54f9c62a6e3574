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
const ofRest = prefixes.flatMap((prefix) => paths.map(([path, allow]) => [`${prefix}${path}`, allow] as const));
const others: [path: string, allow: string][] = [
  ['/healthz', read],
  ['/readyz', read],
  ['/metrics', read],
  ['/auth/methods', read],
  ['/auth/link', both],
  ['/auth/link.css', read],
  ['/auth/sign-in/email', 'POST, OPTIONS'],
  ['/auth/sign-out', 'POST, OPTIONS'],
  ['/auth/get-session', read],
  ['/attachments/att_1', 'GET, HEAD, PUT, OPTIONS'],
  ['/graphql', 'GET, POST, OPTIONS'],
  ['/graphql/stream', 'GET, POST, PUT, DELETE, OPTIONS'],
  ['/', read],
  ['/start.js', read],
];
/** A path of each place that refuses methods, for all of them; the other paths are asked with those that people use. */
const ofEachRefusal = ['/api/v1/threads', '/healthz', '/auth/sign-out', '/graphql', '/attachments/att_1'];
const usual = ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'HEAD'];

describe('a method that a path does not allow', () => {
  it.for([...ofRest, ...others])(
    '%s takes %s, as OPTIONS says, and no other method',
    async ([path, allow], { client }) => {
      const methods = ofEachRefusal.includes(path) ? METHODS : usual;
      const refused = methods.filter((method) => method !== 'CONNECT' && !allow.split(', ').includes(method));
      expect(refused).toEqual(expect.arrayContaining(['PATCH', 'TRACE', 'PROPFIND']));
      const graphqlError = { errors: [{ extensions: { code: 'BAD_REQUEST' } }] };
      const problem = { status: 405, code: 'method_not_allowed', request_id: expect.any(String) };
      for (const method of refused) {
        const { status, headers, body } = await client.send({ method, path });
        expect([method, status, headers.allow]).toEqual([method, 405, allow]);
        const isGraphql = path.startsWith('/graphql');
        if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject(isGraphql ? graphqlError : problem);
      }
      const { status, headers, body } = await client.send({ method: 'OPTIONS', path });
      expect([status, headers.allow, body]).toEqual([204, allow, '']);
    },
  );

  it('is no proxy: CONNECT ends the connection', async ({ service, ada }) => {
    expect(await exchange(service.url, 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n')).toBe('');
    expect((await ada.rest.get('/me')).status).toBe(200);
  });
});

describe('OPTIONS', () => {
  it('answers 404 for a path that is not served', async ({ client }) => {
    expect((await client.send({ method: 'OPTIONS', path: '/api/v1/nowhere' })).status).toBe(404);
    expect((await client.send({ method: 'OPTIONS', path: '*' })).status).toBe(404);
  });

  it.for(ofRest)('%s answers a preflight without a token', async ([path], { client }) => {
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

  it.for(reads)('$path answers as GET does, without a body', async (each, { client, ada, target }) => {
    const authorization = `Bearer ${ada.token}`;
    const elsewhere = { threadId: 'x', questionId: 'x', answerId: 'x' };
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
  });

  it('starts and follows nothing on a stream, and gives the connection back', async ({ service, client, ada }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    const requests = service.model.requests.length;
    const path = `/api/v1/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    const headers = { authorization: `Bearer ${ada.token}` };
    for (let round = 0; round < 3; round += 1) {
      const { status, headers: received, body } = await client.send({ method: 'HEAD', path, headers });
      expect([status, received['content-type'], body]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
    }
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), { timeout: 10_000 });
    expect(service.model.requests.length).toBe(requests);
    expect((await client.send({ method: 'GET', path: '/api/v1/me', headers })).status).toBe(200);
    finish();
    expect((await ada.rest.streamToEnd(sent)).at(-1)?.event).toBe('done');
  });
});
