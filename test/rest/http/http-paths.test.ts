import { METHODS } from 'node:http';
import { describe, expect, vi } from 'vitest';
import type { Person } from '../../support/service.js';
import { endpointCases, pathFor, prefixes } from '../access/endpoint-cases.js';
import { activeThread } from '../threads/thread-stages.js';
import { it } from './http-fixture.js';
import { exchange, type RawClient, type RawReply } from './raw-http.js';

function ask(
  client: RawClient,
  ada: Person,
  path: string,
  { method, body }: { method: string; body?: object } = { method: 'GET' },
): Promise<RawReply> {
  const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
  return client.send({ method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

function expectNotFound({ status, headers, body }: RawReply, path: string): void {
  expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json']);
  expect(JSON.parse(body)).toMatchObject({ code: 'not_found', request_id: headers['x-request-id'] });
}

describe('a path that is not served', () => {
  it.for([
    ['an unknown one', '/nowhere'],
    ['the prefix alone', ''],
    ['the prefix with a slash', '/'],
    ['a slash at the end', '/me/'],
    ['a slash at the end of a list', '/threads/'],
    ['capital letters', '/ME'],
    ['a capital letter', '/Threads'],
    ['a doubled slash', '//me'],
    ['an empty id', '/threads//messages'],
    ['dots that climb', '/threads/../me'],
    ['a message by itself', '/threads/a/messages/b'],
    ['something below an endpoint', '/threads/a/messages/b/response/stream/c'],
    ['a description with a slash', '/openapi.json/'],
    ['another character where the dot is', '/openapi-json'],
    ['a parameter in the path', '/me;v=1'],
    ['an encoded letter of a fixed part', '/m%65'],
  ] as const)('is 404: %s', async ([_name, path], { client, ada }) => {
    for (const prefix of ['/api/v1', '/api/v1-alpha0'])
      expectNotFound(await ask(client, ada, `${prefix}${path}`), path);
  });

  it.for(['/api/v2/me', '/api/v1-alpha1/me', '/api/v1-alpha/me', '/API/v1/me', '/api/me', '/v1/me', '/me'])(
    'is 404 for a prefix that is none: %s',
    async (path, { client, ada }) => expectNotFound(await ask(client, ada, path), path),
  );

  it('is 404 without a token as well', async ({ client }) => {
    expectNotFound(await client.send({ method: 'GET', path: '/api/v1/nowhere' }), '/nowhere');
  });
});

const hostile = [
  ...['%ff', '%C0%80', '%ED%A0%80', '%', '%zz', '%00', 'a%00b', 'thr_1%2Fx', '%2F', '%2e%2e', '%20', '%F0%9F%92%AC'],
  ...["'%20OR%201=1--", '*', '{thread-id}', 'null', 'x'.repeat(8000)],
];
const withIds = endpointCases.filter((each) => each.path.includes('{'));

describe('a path segment that can be no id', () => {
  it.for(withIds)('is 404: %s', async (each, { client, ada, target }) => {
    for (const segment of hostile) {
      const asThread = pathFor(each, { ...target, threadId: segment });
      expectNotFound(await ask(client, ada, `/api/v1${asThread}`, each), asThread);
      if (!each.message) continue;
      const asMessage = pathFor(each, { ...target, questionId: segment, answerId: segment });
      expectNotFound(await ask(client, ada, `/api/v1${asMessage}`, each), asMessage);
    }
  });

  it('is not reported as a defect', ({ service }) => {
    expect(service.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

it('an id is compared exactly, with case, prefix and length', async ({ client, ada, target }) => {
  const { threadId } = target;
  const near = [
    threadId.toUpperCase(),
    threadId.slice(4),
    `msg_${threadId.slice(4)}`,
    `${threadId}0`,
    `${threadId}%20`,
  ];
  for (const id of near) expectNotFound(await ask(client, ada, `/api/v1/threads/${id}`), id);
  expect((await ask(client, ada, `/api/v1/threads/${threadId}`)).status).toBe(200);
  expect((await ask(client, ada, `/api/v1/threads/${threadId.replace('_', '%5F')}`)).status).toBe(200);
});

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
