import { describe, expect } from 'vitest';
import { rememberPosition } from '../../../../src/modules/threads/list/list-position.js';
import type { PageBody, ThreadBody } from '../../../support/clients/rest-types.js';
import { it } from '../../../support/fixtures/service.js';
import { addThread, addThreads, listIds, listThreads, newcomer } from '../../../support/threads.js';

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

  it('puts a thread that was sent a message before the others', async ({ service }) => {
    const ada = await newcomer(service);
    const [first = '', second = ''] = await addThreads(service, ada, [{ updatedAt: at(1) }, { updatedAt: at(2) }]);
    expect(await listIds(ada.rest)).toEqual([second, first]);
    await ada.rest.answer(await ada.rest.send(first, 'Hi'));
    expect(await listIds(ada.rest)).toEqual([first, second]);
  });
});

it('commits the position without waiting for the disk', async ({ service, database, ada }) => {
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
