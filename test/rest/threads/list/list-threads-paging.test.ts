import { describe, expect } from 'vitest';
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
