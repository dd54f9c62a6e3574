/** What holds for every endpoint: the order of the checks, the form of a problem, and the headers. */
import { describe, expect, vi } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { RestClient } from '../../support/clients/rest-client.js';
import type { PageBody } from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import type { TestService } from '../../support/service.js';
import { endpointCases, initFor, pathFor, prefixes } from '../access/endpoint-cases.js';
import { activeThread, settled } from '../threads/thread-stages.js';
import { it as test } from './http-fixture.js';

/** With a client for each of the two prefixes. */
const it = test
  .extend('stable', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1'))
  .extend('alpha', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1-alpha0'));

describe('the order of the checks', () => {
  it('is path and method, 401, 403, 400, 404, 409: the first fault decides', async ({ service, ada }) => {
    const { finish, threadId } = await activeThread({ service, rest: ada.rest }, { text: 'Hi', is_private: true });
    const weak = service.client(await service.token(ada.id, ['threads:read']));
    const colleague = await service.person();
    const path = `/threads/${threadId}/messages`;
    const good = { text: 'Hi' };
    const bad = { text: 5 };
    const statuses = [
      (await service.client().request(`${path}/nowhere`, { method: 'DELETE' })).status,
      (await service.client().request(path, { method: 'DELETE' })).status,
      (await service.client().post(path, bad)).status,
      (await weak.post(path, bad)).status,
      (await colleague.rest.post(path, bad)).status,
      (await colleague.rest.post(path, good)).status,
      (await ada.rest.post(path, good)).status,
    ];
    finish();
    expect(statuses).toEqual([404, 405, 401, 403, 400, 404, 409]);
  });

  it('is the same for faults of the query and of the media type', async ({ service, ada }) => {
    const writer = service.client(await service.token(ada.id, ['threads:write']));
    const unknown = `/threads/${createId('thr')}/messages`;
    expect((await service.client().get(`${unknown}?limit=x`)).status).toBe(401);
    expect((await writer.get(`${unknown}?limit=x`)).status).toBe(403);
    expect((await ada.rest.get(`${unknown}?limit=x`)).status).toBe(400);
    expect((await ada.rest.get(unknown)).status).toBe(404);
    const asText = { headers: { 'content-type': 'text/plain' } };
    const reader = service.client(await service.token(ada.id, ['threads:read']));
    expect((await service.client().post(unknown, '{', asText)).status).toBe(401);
    expect((await reader.post(unknown, '{', asText)).status).toBe(403);
    expect((await ada.rest.post(unknown, '{', asText)).status).toBe(415);
    expect((await ada.rest.post(unknown, '{')).status).toBe(400);
  });
});

describe('a problem', () => {
  it('has the members of RFC 9457, a stable code and the id of the request', async ({ service, ada }) => {
    const replies = [
      await service.client().get('/me'),
      await service.client(await service.token(ada.id, [])).get('/me'),
      await ada.rest.post('/threads', {}),
      await ada.rest.get(`/threads/${createId('thr')}`),
      await ada.rest.request('/me', { method: 'DELETE' }),
      await ada.rest.post('/threads', '{}', { headers: { 'content-type': 'text/plain' } }),
      await ada.rest.get('/nowhere'),
    ];
    for (const { status, headers, body } of replies) {
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({ status, request_id: headers.get('x-request-id') });
      for (const member of ['type', 'title', 'detail', 'code'] as const) expect(body[member]).toMatch(/\S/);
      expect(body.type).toBe(`/problems/${body.code.replaceAll('_', '-')}`);
    }
    expect(replies.map((reply) => reply.status)).toEqual([401, 403, 400, 404, 405, 415, 404]);
  });

  it('names every value that is at fault, not the first alone', async ({ ada }) => {
    const { body } = await ada.rest.get('/threads?limit=0&owned=maybe&sort_by=name');
    expect(body.errors?.map((error) => error.parameter).sort()).toEqual(['limit', 'owned', 'sort_by']);
    const posted = await ada.rest.post('/threads', { name: 5, is_private: 'no' });
    expect(posted.body.errors?.map((error) => error.pointer).sort()).toEqual(['/is_private', '/name', '/text']);
  });
});

const exposed = ['X-Request-Id', 'Retry-After', 'Location', 'WWW-Authenticate', 'ETag'];

it('every response is not cached, not sniffed, and readable from any web page', async ({ service, ada, target }) => {
  const responses: Response[] = [];
  for (const prefix of prefixes) {
    for (const each of endpointCases) {
      responses.push(await service.client(ada.token, prefix).fetch(pathFor(each, target), initFor(each)));
      responses.push(await service.client(undefined, prefix).fetch(pathFor(each, target), initFor(each)));
      if (each.success === 201) await settled({ service, rest: ada.rest });
    }
    responses.push(await service.client(ada.token, prefix).fetch('/nowhere'));
  }
  const refused = responses.filter(({ status }) => status === 401);
  expect(refused).toHaveLength(prefixes.length * endpointCases.length);
  for (const { url, headers, body } of responses) {
    await body?.cancel();
    expect(headers.get('cache-control'), url).toMatch(/^no-store(, no-transform)?$/);
    expect(headers.get('x-content-type-options'), url).toBe('nosniff');
    expect(headers.get('x-request-id'), url).toMatch(/./);
    expect(headers.get('access-control-allow-origin'), url).toBe('*');
    expect(headers.get('access-control-allow-credentials'), url).toBeNull();
    expect(headers.get('access-control-expose-headers')?.split(', '), url).toEqual(expect.arrayContaining(exposed));
    expect(headers.get('x-powered-by'), url).toBeNull();
  }
});

describe('X-Request-Id', () => {
  const ask = async (service: TestService, id?: string) => {
    const { headers, body } = await service
      .client()
      .get('/me', id === undefined ? {} : { headers: { 'x-request-id': id } });
    return { header: headers.get('x-request-id'), body: body.request_id };
  };

  it.for(['a', 'Trace-1.2_3', 'x'.repeat(128)])('repeats the acceptable id "%s"', async (id, { service }) => {
    expect(await ask(service, id)).toEqual({ header: id, body: id });
  });

  it.for(['', 'x'.repeat(129), 'two words', 'a/b', 'a,b', 'é', '"quoted"', '<b>'])(
    'replaces the id "%s"',
    async (id, { service }) => {
      const { header, body } = await ask(service, id);
      expect(header).toMatch(/^[0-9a-f-]{36}$/);
      expect(body).toBe(header);
    },
  );

  it('is new for each request, and finds the line of the log', async ({ service }) => {
    const ids = [await ask(service), await ask(service)].map(({ header }) => header);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      const lines = () => service.log.filter((line) => line.includes(`"requestId":"${id}"`));
      // It is written when the answer has left.
      await vi.waitFor(() => expect(lines()).not.toEqual([]), { timeout: 10_000 });
      expect(lines().map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ method: 'GET', path: '/api/v1/me', status: 401 }),
      ]);
    }
  });
});

const perRequest = ['x-request-id', 'date', 'ratelimit'];

/** All that a caller can tell two answers apart by. */
async function observe(client: RestClient, path: string, init: RequestInit) {
  const response = await client.fetch(path, init);
  const text = (await response.text()).replace(/"request_id":"[^"]+"/, '"request_id":""');
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !perRequest.includes(name)));
  return { status: response.status, headers, text };
}

describe('the two prefixes', () => {
  const reads = endpointCases.filter((each) => each.method === 'GET');

  it.for(reads)('answer the same to $method $path', async (each, { stable, alpha, target }) => {
    const paths = [
      pathFor(each, target),
      pathFor(each, { ...target, threadId: 'nonsense' }),
      `${pathFor(each, target)}?limit=0`,
    ];
    for (const path of paths) {
      expect(await observe(alpha, path, initFor(each))).toEqual(await observe(stable, path, initFor(each)));
    }
  });

  it('answer the same to a rating, and to input that cannot be used', async ({ stable, alpha, target }) => {
    for (const each of endpointCases.filter((candidate) => candidate.method === 'POST')) {
      const path = pathFor(each, { ...target, questionId: target.answerId });
      for (const body of [each.success === 204 ? each.body : {}, [], { text: 5, positive: 5 }]) {
        const init = initFor({ ...each, body: body ?? {} });
        expect(await observe(alpha, path, init)).toEqual(await observe(stable, path, init));
      }
    }
  });

  it('differ in the place that they name for what was created', async ({ stable, alpha }) => {
    const locations = [];
    for (const client of [stable, alpha]) {
      const reply = await client.post<{ thread_id: string }>('/threads', { text: 'Hi' });
      locations.push(reply.headers.get('location')?.replace(reply.body.thread_id, '{id}'));
    }
    expect(locations).toEqual(['/api/v1/threads/{id}', '/api/v1-alpha0/threads/{id}']);
  });
});

it('ids and cursors work across: what one creates or pages the other goes on with', async ({ stable, alpha }) => {
  const first = await alpha.createThread({ text: 'First' });
  await stable.answer(first);
  const [answer] = await alpha.answer(await stable.send(first.threadId, 'Second'));
  const path = `/threads/${first.threadId}/messages`;
  expect((await stable.post(`${path}/${answer?.id}/feedback`, { positive: true })).status).toBe(204);
  for (const list of [path, '/threads']) {
    const { body } = await stable.get<PageBody<{ id: string }>>(list);
    const { body: page } = await alpha.get<PageBody<{ id: string }>>(`${list}?limit=1`);
    const { body: rest } = await stable.get<PageBody<{ id: string }>>(`${list}?after=${page.last_id}`);
    expect([...page.data, ...rest.data]).toEqual(body.data);
  }
  const [begin] = await alpha.streamToEnd(first);
  const rest = await stable.streamToEnd(first, { headers: { 'last-event-id': String(begin?.id) } });
  expect(joinTokens(begin ? [begin] : []) + joinTokens(rest)).toBe('Hello from the model.');
});
