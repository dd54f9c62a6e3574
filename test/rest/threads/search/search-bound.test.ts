/**
 * One search does a bounded amount of work. Its page ends early where that is spent, also without any thread, and says where the
 * next one goes on. A search reads four of the threads here: they say that they have thousands of messages.
 */
import { describe, expect } from 'vitest';
import { Prisma } from '../../../../prisma/generated/client/client.js';
import { sqlStateOf } from '../../../../src/modules/sql-state.js';
import { findByIndex } from '../../../../src/modules/threads/list/find-by-index.js';
import { searchThreads, usualSearchLimits } from '../../../../src/modules/threads/list/search-threads.js';
import { idsOf, threadPage } from '../../../graphql/threads/thread-pages.js';
import { holding, waitingStatements } from '../../../support/database/waiting-statements.js';
import { newcomersTest } from '../../../support/fixtures/service.js';
import type { TestService } from '../../../support/service.js';
import { addThreads, collectPages, listIds, listThreads, orders } from '../../../support/threads.js';
import { change } from '../list/six-threads.js';

/** The first is the newest. A thread is called "left right" if its place is in `found`. */
const it = newcomersTest()
  .extend('found', [] as number[])
  .extend('ids', { auto: true }, ({ service, ada, found }) => {
    const seeds = Array.from({ length: 12 }, (_, place) => ({
      name: found.includes(place) ? 'left right' : 'right left',
      createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, -place)),
      lastSequence: 20_000,
    }));
    return addThreads(service, ada, seeds);
  });
const q = '"left right"';

describe('GET /threads › q › a page that ends early', () => {
  it('may be empty: its last_id is that of the last thread examined', async ({ ada, ids }) => {
    const first = await listThreads(ada.rest, { q });
    expect(first).toEqual({ data: [], first_id: null, last_id: ids[3], has_more: true, limit: 50 });
    const second = await listThreads(ada.rest, { q, after: ids[3] ?? '' });
    expect(second).toEqual({ data: [], first_id: null, last_id: ids[7], has_more: true, limit: 50 });
    const third = await listThreads(ada.rest, { q, after: ids[7] ?? '' });
    expect(third).toEqual({ data: [], first_id: null, last_id: null, has_more: false, limit: 50 });
  });

  it.for(orders)('leads on to what is found later ($sort_by $sort_dir)', async (order, { service, ada, ids }) => {
    const last = (order.sort_dir === 'desc' ? ids.at(-1) : ids[0]) ?? '';
    await service.database.$executeRaw`UPDATE thread SET name = 'left right' WHERE id = ${last}`;
    expect(await collectPages(ada.rest, { ...order, q })).toEqual([last]);
  });

  it('goes on where the last thread examined stood, even if it moved or was hidden', async ({
    service,
    ada,
    bob,
    ids,
  }) => {
    await service.database.$executeRaw`UPDATE thread SET name = 'left right' WHERE id = ${ids[6]}`;
    const { last_id } = await listThreads(bob.rest, { q });
    await change(service, String(last_id), { updatedAt: new Date() });
    expect(await listIds(bob.rest, { q, after: String(last_id) })).toEqual([ids[6]]);
    await change(service, String(last_id), { isPrivate: true });
    expect(await listIds(bob.rest, { q, after: String(last_id) })).toEqual([ids[6]]);
    expect(await collectPages(ada.rest, { q })).toEqual([ids[6]]);
  });
});

describe('GET /threads › q › a page that ends early after some threads', () => {
  it.override({ found: [1, 2, 5, 11] });

  it('has what was found, of which the last leads on', async ({ ada, ids }) => {
    const page = await listThreads(ada.rest, { q });
    expect([page.data.map(({ id }) => id), page.first_id, page.last_id]).toEqual([[ids[1], ids[2]], ids[1], ids[2]]);
    expect(page.has_more).toBe(true);
    expect(await collectPages(ada.rest, { q })).toEqual([ids[1], ids[2], ids[5], ids[11]]);
    expect(await collectPages(ada.rest, { q, limit: 1 })).toEqual([ids[1], ids[2], ids[5], ids[11]]);
  });
});

describe('threads › filter.q › a page that ends early', () => {
  it('may be empty: it has a next page, and leads on by its cursor and by its id', async ({ ada, ids }) => {
    const variables = { filter: { q }, remember: true };
    const { edges, endId, pageInfo } = await threadPage(ada.graphql, variables);
    expect([edges, endId]).toEqual([[], ids[3]]);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: expect.any(String),
    });
    for (const after of [pageInfo.endCursor, endId]) {
      const next = await threadPage(ada.graphql, { ...variables, after });
      expect([next.endId, next.pageInfo.hasNextPage]).toEqual([ids[7], true]);
    }
  });
});

describe('threads › filter.q › a page that ends early after a thread', () => {
  it.override({ found: [1] });

  it('goes on after the last thread that was examined, not the last that was found', async ({ ada, ids }) => {
    const first = await threadPage(ada.graphql, { filter: { q } });
    expect([idsOf(first), first.endId]).toEqual([[ids[1]], ids[1]]);
    const second = await threadPage(ada.graphql, { filter: { q }, after: first.pageInfo.endCursor ?? '' });
    expect([idsOf(second), second.endId, second.pageInfo.hasNextPage]).toEqual([[], ids[7], true]);
  });
});

describe('the lookup in the index of words', () => {
  const optionsOf = async (service: TestService, person: Parameters<TestService['viewerOf']>[0]) => ({
    ...{ viewer: await service.viewerOf(person), filter: { q: 'left' }, after: null, limit: 50 },
    order: { field: 'updated_at', direction: 'desc' } as const,
  });
  const query = Prisma.sql`search_query('left')`;

  it('is given up after its own limit, which later statements do not have', async ({ service, database, ada }) => {
    const options = await optionsOf(service, ada);
    await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE message IN ACCESS EXCLUSIVE MODE`;
      expect(await findByIndex(database, options, { query, ms: 20 })).toBeNull();
    }, holding);
    expect(await findByIndex(database, options, { query, ms: 60_000 })).toHaveLength(12);
    expect(await database.$queryRaw`SHOW statement_timeout`).toEqual([{ statement_timeout: '5s' }]);
  });

  it('fails if somebody else cancels it', async ({ service, database, ada }) => {
    const options = await optionsOf(service, ada);
    await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE message IN ACCESS EXCLUSIVE MODE`;
      const lookup = findByIndex(database, options, { query, ms: 60_000 });
      const failure = lookup.then(() => null, sqlStateOf);
      await expect.poll(() => waitingStatements(database, 'found')).toBe(1);
      await service.sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, 'CROSS JOIN LATERAL') > 0`);
      expect(await failure).toBe('57014');
    }, holding);
  });

  it('is replaced by reading the list when it is given up', async ({ service, database, ada }) => {
    const { organizationId } = await service.viewerOf(ada);
    await service.sql(
      Prisma.sql`
        INSERT INTO thread (id, organization_id, owner_id, name, last_sequence, created_at, updated_at)
        SELECT 'thr_' || lpad(i::text, 26, '0'), ${organizationId}, ${ada.id}, 'name', 40, now(), now() - i * interval '1 minute'
        FROM generate_series(1, 1000) i`,
      `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
       SELECT 'msg_' || lpad((i * 20 + k)::text, 26, '0'), 'thr_' || lpad(i::text, 26, '0'), 2 * k, 'user',
         jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'every word')), now()
       FROM generate_series(1, 1000) i, generate_series(1, 20) k`,
      'VACUUM ANALYZE',
    );
    // PostgreSQL expects one message, and finds 20,000 to check, which takes longer than a millisecond.
    const options = { ...(await optionsOf(service, ada)), filter: { q: 'every -every' } };
    const limits = { ...usualSearchLimits, firstWork: 100, work: 2_000 };
    const patient = await searchThreads(database, options, { ...limits, indexMs: 5_000 });
    expect(patient).toEqual({ cursors: [], end: null });
    const { cursors, end } = await searchThreads(database, options, { ...limits, indexMs: 1 });
    expect(cursors).toEqual([]);
    expect(end).not.toBeNull();
  });
});
