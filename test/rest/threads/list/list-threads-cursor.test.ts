import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { housekeepingSteps } from '../../../../src/process/housekeeping-steps.js';
import { anyCharacters } from '../../../support/any-characters.js';
import { propertyRuns } from '../../../support/case-counts.js';
import type { ProblemBody } from '../../../support/clients/rest-types.js';
import type { Person, TestService } from '../../../support/service.js';
import {
  addThread,
  addThreads,
  collectPages,
  listIds,
  listThreads,
  newcomer,
  orders,
} from '../../../support/threads.js';
import { at, change, it } from './six-threads.js';

describe('GET /threads › sort_by and sort_dir', () => {
  it.beforeEach(async ({ service, ids }) => {
    await change(service, ids[0] ?? '', { updatedAt: at(9) });
  });

  it('sorts by the last update, newest first, by default, or as requested', async ({ ada, ids }) => {
    const byUpdate = [...ids.slice(1), ids[0]];
    expect(await listIds(ada.rest)).toEqual(byUpdate.toReversed());
    expect(await listIds(ada.rest, { sort_by: 'updated_at', sort_dir: 'desc' })).toEqual(byUpdate.toReversed());
    expect(await listIds(ada.rest, { sort_by: 'updated_at', sort_dir: 'asc' })).toEqual(byUpdate);
    expect(await listIds(ada.rest, { sort_by: 'created_at' })).toEqual(ids.toReversed());
    expect(await listIds(ada.rest, { sort_by: 'created_at', sort_dir: 'asc' })).toEqual(ids);
  });

  it.for(orders)('orders threads of one moment, page by page ($sort_by $sort_dir)', async (order, { service }) => {
    const person = await newcomer(service);
    const equal = await addThreads(service, person, Array(7).fill({ createdAt: at(1) }));
    const whole = await listIds(person.rest, order);
    expect([...whole].sort()).toEqual(equal);
    for (const limit of [1, 2, 3]) expect(await collectPages(person.rest, { ...order, limit })).toEqual(whole);
  });
});

describe('GET /threads › after', () => {
  it.for(orders)('gives the whole list in pages of any size ($sort_by $sort_dir)', async (order, { ada }) => {
    const whole = await listIds(ada.rest, order);
    expect(whole).toHaveLength(6);
    for (const limit of [1, 2, 3, 4, 6]) expect(await collectPages(ada.rest, { ...order, limit })).toEqual(whole);
  });

  it('reports more items exactly if there are more', async ({ ada, ids }) => {
    const order = { sort_by: 'created_at', sort_dir: 'asc' };
    expect((await listThreads(ada.rest, { ...order, limit: 5 })).has_more).toBe(true);
    expect((await listThreads(ada.rest, { ...order, limit: 6 })).has_more).toBe(false);
    expect((await listThreads(ada.rest, { ...order, limit: 3, after: String(ids[2]) })).has_more).toBe(false);
    expect((await listThreads(ada.rest, { ...order, limit: 2, after: String(ids[2]) })).has_more).toBe(true);
  });

  it.for(orders)('gives an empty page after the last thread ($sort_by $sort_dir)', async (order, { ada }) => {
    const { last_id } = await listThreads(ada.rest, order);
    const page = await listThreads(ada.rest, { ...order, limit: 7, after: String(last_id) });
    expect(page).toEqual({ data: [], first_id: null, last_id: null, has_more: false, limit: 7 });
  });

  it('accepts the id of any visible thread, even of one that was never returned', async ({ ada, bob }) => {
    for (const order of orders) {
      const whole = await listIds(ada.rest, order);
      expect(await listIds(bob.rest, { ...order, after: String(whole[3]) })).toEqual(whole.slice(4));
    }
  });

  it('keeps to the filters that are given with the page', async ({ ada, ids }) => {
    const query = { owned: true, q: 'thread', updated_since: at(2).toISOString(), private: false, archived: true };
    expect(await collectPages(ada.rest, { ...query, limit: 1 })).toEqual(ids.slice(2).reverse());
    const { last_id } = await listThreads(ada.rest, { q: 'thread', limit: 2 });
    expect(await listIds(ada.rest, { q: 'thread 1', after: String(last_id) })).toEqual([ids[0]]);
  });

  it('applies no filter of the previous page', async ({ ada, ids }) => {
    const { data, last_id } = await listThreads(ada.rest, { q: 'thread 5', owned: true, limit: 1 });
    expect(data.map(({ id }) => id)).toEqual([ids[4]]);
    expect(await listIds(ada.rest, { after: String(last_id) })).toEqual(ids.slice(0, 4).reverse());
  });

  it('finds threads that were created since, in the order of creation', async ({ service, ada }) => {
    const order = { sort_by: 'created_at', sort_dir: 'asc' };
    const { last_id } = await listThreads(ada.rest, order);
    const id = await addThread(service, ada);
    expect(await listIds(ada.rest, { ...order, after: String(last_id) })).toEqual([id]);
  });
});

async function refusal(ada: Person, query: string) {
  const { status, body } = await ada.rest.get<ProblemBody>(`/threads?${query}`);
  return { status, code: body.code, parameters: body.errors?.map(({ parameter }) => parameter) };
}

describe('GET /threads › after › a thread that changed', () => {
  const soon = (seconds = 1) => new Date(Date.now() + seconds * 1000);

  type Act = (actors: { service: TestService; owner: Person; id: string }) => Promise<unknown>;
  const deletes: Act = async ({ owner, id }) => {
    const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';
    expect((await owner.graphql.data(remove, { id })).deleteThread.__typename).toBe('DeletedThread');
  };
  const to =
    (data: () => Parameters<typeof change>[2]): Act =>
    ({ service, id }) =>
      change(service, id, data());

  it.for<[what: string, reader: 'ada' | 'bob', act: Act, query?: Record<string, string | boolean>]>([
    ['moved', 'ada', to(() => ({ updatedAt: soon() }))],
    ['became invisible', 'bob', to(() => ({ isPrivate: true }))],
    ['was deleted', 'bob', deletes],
    ['was archived', 'ada', to(() => ({ archived: true }))],
    ['was made private', 'ada', to(() => ({ isPrivate: true })), { private: false }],
    ['lost the word that was searched for', 'ada', to(() => ({ name: 'renamed' })), { q: 'thread' }],
  ])(
    'continues where one stood that %s, in every order',
    async ([_what, reader, act, query], { service, ada, bob }) => {
      const { rest } = { ada, bob }[reader];
      for (const order of orders) {
        const whole = await listIds(rest, { ...order, ...query });
        const { last_id: id } = await listThreads(rest, { ...order, ...query, limit: 2 });
        await act({ service, owner: ada, id: String(id) });
        const following = await listIds(rest, { ...order, ...query, limit: whole.length - 2, after: String(id) });
        expect(following, JSON.stringify(order)).toEqual(whole.slice(2));
      }
    },
  );

  it.for(orders)('outlives all housekeeping ($sort_by $sort_dir)', async (order, { service, database, ada }) => {
    const whole = await listIds(ada.rest, order);
    const { last_id } = await listThreads(ada.rest, { ...order, limit: 2 });
    await change(service, String(last_id), { updatedAt: soon() });
    await database.$executeRaw`UPDATE thread_position SET written_at = now() - interval '10 years'`;
    for (const { remove, batch } of housekeepingSteps) await remove(database, batch);
    expect(await database.threadPosition.count()).toBe(0);
    expect(await listIds(ada.rest, { ...order, limit: 4, after: String(last_id) })).toEqual(whole.slice(2));
  });

  it('continues from the last of two pages with one end, whatever moved between', async ({ service, ada, ids }) => {
    const whole = await listIds(ada.rest, {});
    await listThreads(ada.rest, { limit: 3 });
    await change(service, String(ids[0]), { updatedAt: new Date() });
    const { last_id } = await listThreads(ada.rest, { limit: 4 });
    expect(last_id).toBe(whole[2]);
    expect(await listIds(ada.rest, { after: String(last_id) })).toEqual(whole.slice(3, -1));
  });

  it('is remembered for each caller and each order', async ({ service, ada, bob, ids }) => {
    const newest = String(ids[5]);
    const oldestFirst = { sort_by: 'updated_at', sort_dir: 'asc' };
    await listThreads(ada.rest, { limit: 1 });
    await change(service, newest, { updatedAt: soon() });
    await change(service, String(ids[0]), { updatedAt: soon(2) });
    // Ada was served the newest thread before the oldest one moved up; Bob was not, and asks from where it is now.
    expect(await listIds(ada.rest, { after: newest })).toEqual([...ids].reverse().slice(1));
    expect(await listIds(bob.rest, { after: newest })).toEqual(ids.slice(1, 5).reverse());
    expect(await listIds(ada.rest, { ...oldestFirst, after: newest })).toEqual([ids[0]]);
  });
});

describe('GET /threads › 400 › invalid_cursor', () => {
  const unknown = 'thr_01kamqz4m0fjd9h3n5b8s2c7x1';
  const madeUp = (...parts: string[]) => Buffer.from(parts.join('|')).toString('base64url');

  it.for([
    ['unknown', unknown],
    ['empty', ''],
    ['a word', 'next'],
    ['in upper case', unknown.toUpperCase()],
    ['the id of a message', unknown.replace('thr', 'msg')],
    ['too long', 'x'.repeat(500)],
    ['made up: no such month', madeUp('2026-19-01 00:00:00+00', unknown)],
    ['made up: no such day', madeUp('2026-02-30 00:00:00+00', unknown)],
    ['made up: no such year', madeUp('0000-01-01 00:00:00+00', unknown)],
    ['made up: no snapshot', madeUp('2026-11-20 00:00:00+00', unknown, '9:3:', '2026-11-20 00:00:00+00')],
    ['made up: a snapshot out of order', madeUp('-infinity', unknown, '3:9:5,4', '-infinity')],
    ['made up: one part too many', madeUp('-infinity', unknown, '3:9:', '-infinity', '')],
  ] as const)('is the answer where after is %s', async ([_title, after], { ada }) => {
    for (const sortBy of ['updated_at', 'created_at']) {
      const reply = await refusal(ada, `sort_by=${sortBy}&after=${after}`);
      expect(reply).toEqual({ status: 400, code: 'invalid_cursor', parameters: ['after'] });
    }
  });

  it('does not tell an invisible thread from one that does not exist', async ({ service, ada, bob }) => {
    const eve = await newcomer(service);
    const expected = { ...(await ada.rest.get(`/threads?after=${unknown}`)).body, request_id: '' };
    for (const after of [await addThread(service, bob, { isPrivate: true }), await addThread(service, eve)]) {
      for (const sortBy of ['updated_at', 'created_at']) {
        const { body } = await ada.rest.get(`/threads?sort_by=${sortBy}&after=${after}`);
        expect({ ...body, request_id: '' }).toEqual(expected);
      }
    }
  });

  it('is never a defect of the service, whatever the text', async ({ ada }) => {
    const statusOf = async (after: string) =>
      (await ada.rest.get(`/threads?limit=1&after=${encodeURIComponent(after.toWellFormed())}`)).status;
    const digits = fc.nat({ max: 99 }).map(String);
    const cursor = fc
      .array(fc.oneof(digits, fc.constantFrom('-infinity', unknown, '2026-11-20 10:00:00.5+00', '7:9:8')), {
        maxLength: 5,
      })
      .map((parts) => madeUp(...parts));
    const texts = fc.oneof(anyCharacters({ maxLength: 60 }), cursor);
    await fc.assert(
      fc.asyncProperty(texts, async (after) => {
        expect([200, 400]).toContain(await statusOf(after));
      }),
      { numRuns: propertyRuns(200) },
    );
  }, 180_000);
});
