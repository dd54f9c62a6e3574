import { describe, expect } from 'vitest';
import type { Person } from '../../support/service.js';
import { endpointCases, pathFor } from '../access/endpoint-cases.js';
import { it } from './http-fixture.js';
import type { RawClient, RawReply } from './raw-http.js';

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
