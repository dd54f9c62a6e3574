/** What holds for every endpoint: the order of the checks, the form of a problem, and the headers. */
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { endpointCases, initFor, pathFor, prefixes } from '../access/endpoint-cases.js';
import { activeThread, settled } from '../threads/thread-stages.js';
import { it } from './http-fixture.js';

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
