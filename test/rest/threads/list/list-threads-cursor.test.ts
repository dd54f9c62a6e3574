import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { housekeepingSteps } from '../../../../src/process/housekeeping-steps.js';
import { anyCharacters } from '../../../support/any-characters.js';
import { propertyRuns } from '../../../support/case-counts.js';
import type { ProblemBody } from '../../../support/clients/rest-types.js';
import type { Person } from '../../../support/service.js';
import { addThread, listIds, listThreads, newcomer, orders } from '../../../support/threads.js';
import { change, it } from './six-threads.js';

async function refusal(ada: Person, query: string) {
  const { status, body } = await ada.rest.get<ProblemBody>(`/threads?${query}`);
  return { status, code: body.code, parameters: body.errors?.map(({ parameter }) => parameter) };
}

describe('GET /threads › after › a thread that changed', () => {
  const soon = (seconds = 1) => new Date(Date.now() + seconds * 1000);

  it.for(orders)('continues where the thread stood then ($sort_by $sort_dir)', async (order, { service, ada }) => {
    const whole = await listIds(ada.rest, order);
    const { last_id } = await listThreads(ada.rest, { ...order, limit: 2 });
    await change(service, String(last_id), { updatedAt: soon() });
    expect(await listIds(ada.rest, { ...order, limit: 4, after: String(last_id) })).toEqual(whole.slice(2));
  });

  it.for(orders)('outlives all housekeeping ($sort_by $sort_dir)', async (order, { service, database, ada }) => {
    const whole = await listIds(ada.rest, order);
    const { last_id } = await listThreads(ada.rest, { ...order, limit: 2 });
    await change(service, String(last_id), { updatedAt: soon() });
    await database.$executeRaw`UPDATE thread_position SET written_at = now() - interval '10 years'`;
    for (const { remove, batch } of housekeepingSteps) await remove(database, batch);
    expect(await database.threadPosition.count()).toBe(0);
    expect(await listIds(ada.rest, { ...order, limit: 4, after: String(last_id) })).toEqual(whole.slice(2));
  });

  it.for(orders)('continues after one that became invisible ($sort_by $sort_dir)', async (order, { service, bob }) => {
    const whole = await listIds(bob.rest, order);
    const { last_id } = await listThreads(bob.rest, { ...order, limit: 2 });
    await change(service, String(last_id), { isPrivate: true });
    expect(await listIds(bob.rest, { ...order, after: String(last_id) })).toEqual(whole.slice(2));
  });

  it.for(orders)('continues after one that was deleted ($sort_by $sort_dir)', async (order, { ada, bob }) => {
    const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';
    const whole = await listIds(bob.rest, order);
    const { last_id } = await listThreads(bob.rest, { ...order, limit: 2 });
    expect(await ada.graphql.data(remove, { id: String(last_id) })).toEqual({
      deleteThread: { __typename: 'DeletedThread' },
    });
    expect(await listIds(bob.rest, { ...order, after: String(last_id) })).toEqual(whole.slice(2));
  });

  it('continues from the last of two pages with one end, whatever moved between', async ({ service, ada, ids }) => {
    const whole = await listIds(ada.rest, {});
    await listThreads(ada.rest, { limit: 3 });
    await change(service, String(ids[0]), { updatedAt: new Date() });
    const { last_id } = await listThreads(ada.rest, { limit: 4 });
    expect(last_id).toBe(whole[2]);
    expect(await listIds(ada.rest, { after: String(last_id) })).toEqual(whole.slice(3, -1));
  });

  it.for([
    ['was archived', { archived: true }, {}],
    ['was made private', { isPrivate: true }, { private: false }],
    ['lost the word that was searched for', { name: 'renamed' }, { q: 'thread' }],
  ] as const)('goes on after one that %s', async ([_title, data, query], { service, ada }) => {
    for (const order of orders) {
      const whole = await listIds(ada.rest, { ...order, ...query });
      const { last_id } = await listThreads(ada.rest, { ...order, ...query, limit: 1 });
      await change(service, String(last_id), data);
      expect(await listIds(ada.rest, { ...order, ...query, after: String(last_id) })).toEqual(whole.slice(1));
    }
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
