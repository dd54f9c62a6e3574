import { describe, expect } from 'vitest';
import { rememberPosition } from '../../../../src/modules/threads/list/list-position.js';
import type { PageBody, ThreadBody } from '../../../support/clients/rest-types.js';
import { it } from '../../../support/fixtures/service.js';
import {
  addThread,
  addThreads,
  colleagueOf,
  listIds,
  listThreads,
  newcomer,
  personWithThreads,
} from '../../../support/threads.js';

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 17, 29, second));

describe('GET /threads › 200', () => {
  it('returns an envelope of nulls for an empty list', async ({ service }) => {
    const nobody = await newcomer(service);
    const { status, headers, body } = await nobody.rest.get<PageBody<ThreadBody>>('/threads');
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], first_id: null, last_id: null, has_more: false, limit: 50 });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('gives every thread as GET /threads/{thread-id} gives it', async ({ service }) => {
    const ada = await newcomer(service, { name: null });
    await addThreads(service, ada, [
      { name: 'One', isPrivate: true },
      { name: null, state: 'error' },
    ]);
    const { data } = await listThreads(ada.rest);
    const single = data.map(async ({ id }) => (await ada.rest.get<ThreadBody>(`/threads/${id}`)).body);
    expect(data).toEqual(await Promise.all(single));
    expect(data).toHaveLength(2);
  });

  it('names the first and the last thread of the page', async ({ service }) => {
    const ada = await newcomer(service);
    const ids = await addThreads(service, ada, [{ updatedAt: at(3) }, { updatedAt: at(2) }, { updatedAt: at(1) }]);
    const page = await listThreads(ada.rest, { limit: 2 });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page).toMatchObject({ first_id: ids[0], last_id: ids[1], has_more: true, limit: 2 });
  });

  it('lists a thread as soon as it was created', async ({ service }) => {
    const ada = await newcomer(service);
    const { threadId } = await ada.rest.createThread({ text: 'Hi', name: 'New' });
    expect((await listThreads(ada.rest)).data).toMatchObject([{ id: threadId, name: 'New' }]);
  });

  it('puts a thread that was sent a message before the others', async ({ service }) => {
    const ada = await newcomer(service);
    const [first = '', second = ''] = await addThreads(service, ada, [{ updatedAt: at(1) }, { updatedAt: at(2) }]);
    expect(await listIds(ada.rest)).toEqual([second, first]);
    await ada.rest.answer(await ada.rest.send(first, 'Hi'));
    expect(await listIds(ada.rest)).toEqual([first, second]);
  });
});

describe('GET /threads › 200 › visibility', () => {
  it('lists the public threads of the organization and the own private ones', async ({ service }) => {
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    const shared = await addThread(service, ada, { name: 'public', updatedAt: at(1) });
    const own = await addThread(service, ada, { name: 'private', isPrivate: true, updatedAt: at(2) });
    expect(await listIds(ada.rest)).toEqual([own, shared]);
    expect(await listIds(bob.rest)).toEqual([shared]);
  });

  it('lists nothing of another organization', async ({ service }) => {
    const ada = await newcomer(service);
    const eve = await newcomer(service);
    await addThreads(service, ada, [{}, { isPrivate: true }]);
    for (const query of [{}, { owned: false }, { private: true }, { archived: true }, { q: 'a' }]) {
      expect(await listIds(eve.rest, query)).toEqual([]);
    }
  });

  it('removes a thread that becomes private', async ({ service }) => {
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    const id = await addThread(service, ada);
    expect(await listIds(bob.rest)).toEqual([id]);
    await service.service.database.thread.update({ where: { id }, data: { isPrivate: true } });
    expect(await listIds(bob.rest)).toEqual([]);
    expect(await listIds(ada.rest)).toEqual([id]);
  });
});

describe('GET /threads › unknown parameters', () => {
  it('are ignored', async ({ service }) => {
    const { rest } = await personWithThreads(service, ['One']);
    for (const query of ['colour=red', 'OWNED=x', 'limit[]=x', '__proto__=1', '=1', '%ff=1', '%=1', '&&&']) {
      const { status, body } = await rest.get<PageBody<ThreadBody>>(`/threads?${query}`);
      expect({ query, status, threads: body.data?.length }).toEqual({ query, status: 200, threads: 1 });
    }
  });

  it('are named with strict handling', async ({ ada }) => {
    const headers = { prefer: 'handling=strict' };
    const { status, body } = await ada.rest.get('/threads?colour=red&limit=5&size=1', { headers });
    expect(status).toBe(400);
    expect(body.errors?.map(({ parameter }) => parameter)).toEqual(['colour', 'size']);
    const known = 'owned=true&private=false&archived=true&q=a&sort_by=created_at&sort_dir=asc&limit=5';
    const since = 'updated_since=2026-11-20T17:29:00Z';
    expect((await ada.rest.get(`/threads?${known}&${since}`, { headers })).status).toBe(200);
  });
});

it('commits the position without waiting for the disk', async ({ service, ada }) => {
  const { database } = service.service;
  const viewer = await service.viewerOf(ada);
  const cursor = { position: '2026-11-20 00:00:00+00', id: await addThread(service, ada), pagination: null };
  const order = { field: 'created_at', direction: 'asc' } as const;
  const settings = await database.$transaction(async (transaction) => {
    const setting = () => transaction.$queryRaw`SELECT current_setting('synchronous_commit') AS value`;
    await transaction.$executeRaw`SET LOCAL synchronous_commit = on`;
    const before = await setting();
    await rememberPosition(transaction as typeof database, viewer, { cursor, order, newest: null });
    return [before, await setting()];
  });
  expect(settings).toEqual([[{ value: 'on' }], [{ value: 'off' }]]);
});
