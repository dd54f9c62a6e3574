/** `/graphql/stream` as an HTTP resource: who may use which stream, what is refused and how, and what ends it. */
import { type Client, createClient } from 'graphql-sse';
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { StreamClient } from './stream-client.js';

const it = serviceTest()
  .extend('client', { scope: 'file' }, ({ service, ada }) => new StreamClient(service.url, ada.token))
  .extend('stranger', { scope: 'file' }, async ({ service }) => {
    const { token } = await service.person();
    return new StreamClient(service.url, token);
  });

const patience = { timeout: 10_000 };
const me = { query: '{ me { sub } }' };
const follow = (messageId: string) => ({
  query: `subscription { responseEvents(messageId: "${messageId}") { __typename ... on ResponseToken { token } } }`,
});

async function failureOf(response: Response) {
  const { errors } = (await response.json()) as GraphQLResult;
  return { status: response.status, ...errors?.[0]?.extensions };
}

describe('a stream', () => {
  it('of one operation has its result and ends', async ({ ada, client }) => {
    const stream = await client.open({ method: 'POST', body: me });
    await stream.end;
    expect(stream.messages).toEqual([
      { event: 'next', payload: { data: { me: { sub: ada.id } } } },
      { event: 'complete', payload: {} },
    ]);
  });

  it('of one operation may be opened by GET, for anything but a mutation', async ({ service, ada, client }) => {
    const search = (params: Record<string, string>) => `?${new URLSearchParams(params)}`;
    const conditional = 'query ($x: Boolean!) { me { sub @skip(if: $x) } }';
    const query = await client.open({ search: search({ query: conditional, variables: '{"x":false}' }) });
    await query.end;
    expect(query.messages[0]?.payload).toEqual({ data: { me: { sub: ada.id } } });
    const before = await service.database.thread.count();
    const mutation = await client.open({
      search: search({ query: 'mutation { createThread(input: {text: "Hi"}) { __typename } }' }),
    });
    await mutation.end;
    expect(mutation.messages[0]?.payload?.errors?.[0]?.message).toContain('mutation');
    expect(await service.database.thread.count()).toBe(before);
  });

  it('that is reserved carries the results of every operation under its id', async ({ ada, client }) => {
    const token = await client.reserve();
    const stream = await client.open({ stream: token });
    expect(await client.run(token, 'a', me)).toEqual({ status: 202, text: '' });
    expect(await client.run(token, 'b', { query: '{ nothing }' })).toMatchObject({ status: 202 });
    await vi.waitFor(() => expect(stream.messages).toHaveLength(4), patience);
    const of = (wanted: string) => stream.messages.filter(({ id }) => id === wanted);
    expect(of('a')).toEqual([
      { event: 'next', id: 'a', payload: { data: { me: { sub: ada.id } } } },
      { event: 'complete', id: 'a' },
    ]);
    expect(of('b')[0]?.payload?.errors?.[0]?.extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
    stream.close();
  });

  it('may be opened by its token alone, as a browser’s EventSource does', async ({ service, ada, client }) => {
    const token = await client.reserve();
    await client.run(token, 'a', me);
    const stream = await new StreamClient(service.url).open({ search: `?token=${token}` });
    await vi.waitFor(() => expect(stream.messages).toHaveLength(2), patience);
    expect(stream.messages[0]?.payload).toEqual({ data: { me: { sub: ada.id } } });
    const again = await client.fetch({ method: 'GET', search: `?token=${token}`, accept: 'text/event-stream' });
    expect(await failureOf(again)).toMatchObject({ status: 409, code: 'CONFLICT' });
    stream.close();
  });

  it('causes no warning of Node.js in the log', async ({ client }) => {
    const warnings: string[] = [];
    const keep = ({ message }: Error) => void warnings.push(message);
    process.on('warning', keep);
    const reserved = await client.open({ stream: await client.reserve() });
    await (await client.open({ method: 'POST', body: me })).end;
    reserved.close();
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });

  it('ends with its connection: its operations are dropped, its token is void', async ({ service, ada, client }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const token = await client.reserve();
    const stream = await client.open({ stream: token });
    await client.run(token, 'a', follow(active.messageId));
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(1), patience);
    stream.close();
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    expect(await client.run(token, 'b', me)).toMatchObject({ status: 404 });
    active.finish();
  });
});

describe('a stream of somebody else', () => {
  it('does not exist, however it is requested, and goes on undisturbed', async ({ service, ada, client, stranger }) => {
    const token = await client.reserve();
    const stream = await client.open({ stream: token });
    const active = await activeThread({ service, rest: ada.rest });
    await client.run(token, 'a', follow(active.messageId));
    const operationId = 'a';
    const attempts = [
      { method: 'GET', accept: 'text/event-stream', stream: token },
      { method: 'GET', accept: 'text/event-stream', search: `?token=${token}` },
      { method: 'POST', stream: token, body: { ...me, extensions: { operationId: 'b' } } },
      { method: 'POST', accept: 'text/event-stream', stream: token, body: me },
      { method: 'DELETE', stream: token, search: `?operationId=${operationId}` },
    ];
    for (const attempt of attempts) {
      const unknown = JSON.parse(JSON.stringify(attempt).replaceAll(token, '0'.repeat(36))) as typeof attempt;
      const [theirs, none] = [await stranger.fetch(attempt), await stranger.fetch(unknown)];
      expect([theirs.status, await theirs.text()], attempt.method).toEqual([404, await none.text()]);
    }
    active.finish();
    await vi.waitFor(() => expect(stream.messages.at(-1)).toEqual({ event: 'complete', id: 'a' }), patience);
    expect(stream.messages.filter(({ id }) => id !== 'a')).toEqual([]);
    stream.close();
  });

  it('is not created by proposing a token', async ({ client, stranger }) => {
    const token = await client.reserve();
    const response = await stranger.fetch({ method: 'PUT', stream: token });
    expect([response.status, (await response.text()) === token]).toEqual([201, false]);
  });

  it.for(['__proto__', 'constructor', 'toString'])('has no name that is built in: %s', async (name, { client }) => {
    const response = await client.fetch({ method: 'GET', stream: name, accept: 'text/event-stream' });
    expect(await failureOf(response)).toMatchObject({ status: 404 });
  });
});

describe('a request to the stream', () => {
  it.for(['GET', 'POST', 'PUT', 'DELETE'])('is 401 first, without a token: %s', async (method, { service }) => {
    const body = method === 'POST' ? 'x'.repeat(300_000) : undefined;
    for (const token of [undefined, `skn_pat_${'a'.repeat(36)}`]) {
      const client = new StreamClient(service.url, token);
      const response = await client.fetch({ method, body, accept: 'text/event-stream' });
      expect(await failureOf(response)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    }
  });

  it('is 401 if the reservation’s own token has since been revoked', async ({ service }) => {
    const person = await service.person();
    const token = await new StreamClient(service.url, person.token).reserve();
    await service.database.accessToken.updateMany({ where: { userId: person.id }, data: { revokedAt: new Date() } });
    // The process learns of it by a notification, within a second.
    await vi.waitFor(async () => {
      const headers = { accept: 'text/event-stream' };
      const response = await fetch(`${service.url}/graphql/stream?token=${token}`, { headers });
      await response.body?.cancel();
      expect(response.status).toBe(401);
    }, patience);
  });

  it('must be JSON of at most 1 MiB', async ({ client }) => {
    const stream = await client.reserve();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=b']) {
      for (const accept of ['*/*', 'text/event-stream']) {
        const request = { method: 'POST', accept, body: 'query={me{sub}}', headers: { 'content-type': type } };
        const refused = await client.fetch(accept === '*/*' ? { ...request, stream } : request);
        expect(await failureOf(refused)).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      }
    }
    const long = await client.fetch({ method: 'POST', accept: 'text/event-stream', body: 'x'.repeat(1_100_000) });
    expect(await failureOf(long)).toMatchObject({ status: 413, limit: 'bytes' });
  });

  it.for(['{"query": ', '[]', '"{ me { sub } }"', 'null'])('is 400 if its body is %s', async (body, { client }) => {
    const response = await client.fetch({ method: 'POST', accept: 'text/event-stream', body });
    expect(await failureOf(response)).toEqual({ status: 400, code: 'BAD_REQUEST' });
  });

  it('must name its operation on a reserved stream, by a name that is free', async ({ client }) => {
    const stream = await client.reserve();
    expect(await client.run(stream, '', me)).toMatchObject({ status: 400 });
    expect((await client.fetch({ method: 'DELETE', stream })).status).toBe(400);
    await client.run(stream, 'a', me);
    expect(await client.run(stream, 'a', me)).toMatchObject({ status: 409 });
  });
});

/** What an operation of graphql-sse's own client gives. That it runs each kind of operation, and resumes, is in `test/examples`. */
interface Sink {
  results: GraphQLResult<{ responseEvents: { token?: string } }>[];
  /** Settles at the end of the operation; rejects where it failed. */
  end: Promise<void>;
  unsubscribe: () => void;
}

function subscribe(client: Client<boolean>, { query }: { query: string }): Sink {
  const sink: Sink = { results: [], end: Promise.resolve(), unsubscribe: () => undefined };
  sink.end = new Promise((resolve, reject) => {
    const next = (result: unknown) => sink.results.push(result as Sink['results'][number]);
    sink.unsubscribe = client.subscribe({ query }, { next, error: reject, complete: resolve });
  });
  return sink;
}

function textOf({ results }: Sink): string {
  return results.map(({ data }) => data?.responseEvents.token ?? '').join('');
}

const readers = (service: TestService) => service.service.tokenLog.stats().readers;

describe.each([
  ['a connection an operation', false],
  ['one connection for all', true],
])('graphql-sse’s client with %s', (_what, singleConnection) => {
  /** In single connection mode it reserves its stream at once, and keeps it. */
  const client = ({ url }: TestService, { token }: Person): Client<boolean> =>
    createClient({
      ...{ url: `${url}/graphql/stream`, headers: { authorization: `Bearer ${token}` } },
      ...{ singleConnection, lazy: !singleConnection, retryAttempts: 1 },
    });

  it('unsubscribes from one of several, and the others continue', async ({ service, ada }) => {
    const sse = client(service, ada);
    const active = await activeThread({ service, rest: ada.rest });
    const [left, stays] = [subscribe(sse, follow(active.messageId)), subscribe(sse, follow(active.messageId))];
    await vi.waitFor(() => expect([textOf(left), textOf(stays)]).toEqual(['Hel', 'Hel']), patience);
    await vi.waitFor(() => expect(readers(service)).toBe(2), patience);
    left.unsubscribe();
    await vi.waitFor(() => expect(readers(service)).toBe(1), patience);
    active.finish();
    await Promise.all([left.end, stays.end]);
    expect([textOf(left), textOf(stays)]).toEqual(['Hel', 'Hello']);
    sse.dispose();
    await vi.waitFor(() => expect(readers(service)).toBe(0), patience);
  });

  it.for([
    ['that cannot be read', '{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['that does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'that is too deep',
      `{ thread(id: "thr_1") { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} } }`,
      'LIMIT_EXCEEDED',
    ],
    ['whose argument does not fit', 'query ($id: ID!) { thread(id: $id) { id } }', 'BAD_USER_INPUT'],
    ['that asks for what is not there', '{ thread(id: "thr_none") { id } }', 'NOT_FOUND'],
  ] as const)(
    'gets the errors of an operation %s as its one result',
    async ([_which, query, code], { service, ada }) => {
      const sse = client(service, ada);
      const { results, end } = subscribe(sse, { query });
      await end;
      expect(results).toHaveLength(1);
      const { extensions, message } = results[0]?.errors?.[0] ?? {};
      expect(extensions?.['code'], message).toBe(code);
      expect(Object.keys(extensions ?? {})).not.toContain('http');
      sse.dispose();
    },
  );
});
