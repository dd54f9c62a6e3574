/**
 * What PostgreSQL does for a variant of a message, for a page of the threads of a tag and for a read of the feed, among many thousands of
 * messages and threads of two organizations: each reads by index about what it gives, and no table as a whole.
 */
import { describe, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import { StatementNames } from '../../src/database/statement-names.js';
import type { ChangeCursor } from '../../src/modules/feeds/change-cursor.js';
import { changesSql, readChanges } from '../../src/modules/feeds/read-changes.js';
import type { Viewer } from '../../src/modules/identity/authenticate.js';
import { findVariant, variantSql } from '../../src/modules/messages/branches/find-variant.js';
import { selectSql } from '../../src/modules/messages/branches/select-variant.js';
import { type ListThreadsOptions, listThreads, pageSql } from '../../src/modules/threads/list/list-threads.js';
import { countedThreads, readTagsInUse, tagsInUseSql } from '../../src/modules/threads/tags/tags-in-use.js';
import { expectIndexes, planOf, printPlan, rowsTouched } from '../support/database/query-plan.js';
import { serviceTest } from '../support/fixtures/service.js';
import { runSql } from '../support/server.js';
import type { Person } from '../support/service.js';
import { addThread, colleagueOf, newcomer } from '../support/threads.js';

const id = (place: number) => `msg_${String(place).padStart(26, '0')}`;
const [oldest, newest] = [id(5990), id(5996)];

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
/** A thread of 6,000 messages beside 6,000 others. */
it.beforeAll(async ({ service, url, ada }) => {
  const [threadId, other] = [await addThread(service, ada), await addThread(service, ada)];
  for (const [thread, first] of [[threadId, 1] as const, [other, 6001] as const]) {
    await runSql(
      url,
      Prisma.sql`
        INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
        SELECT 'msg_' || lpad(i::text, 26, '0'), ${thread}, 2 * i, 'user', '[{"type": "text", "text": "Hi"}]', now()
        FROM generate_series(${first}::int, ${first + 5999}::int) i`,
    );
  }
  // The oldest variant was put aside with five messages after it.
  await runSql(
    url,
    Prisma.sql`
      UPDATE message SET active = false, hidden_with_id = ${oldest}, turn_id = CASE WHEN id = ${oldest} THEN id END
      WHERE id BETWEEN ${oldest} AND ${id(5995)}`,
    Prisma.sql`UPDATE message SET turn_id = ${oldest} WHERE id = ${newest}`,
  );
});

/** 20,000 threads. */
it.beforeAll(async ({ service, url, database, ada }) => {
  const fill = async (owner: Person, { first, tags }: { first: number; tags: Prisma.Sql }) => {
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: owner.id } });
    await runSql(
      url,
      Prisma.sql`
        INSERT INTO thread (id, organization_id, owner_id, is_private, archived, created_at, updated_at, tags, tag_keys)
        SELECT 'thr_' || lpad(i::text, 26, '0'), ${organizationId}, ${owner.id}, i % 100 = 0, i % 100 = 1,
          now() - interval '9 days' + i * interval '1 second', now() - interval '2 days' + i * interval '1 second',
          filed.tags, ARRAY(SELECT ${organizationId} || ' ' || tag FROM unnest(filed.tags) tag)
        FROM generate_series(${first}::int, ${first + 9_999}::int) i CROSS JOIN LATERAL (SELECT ${tags} AS tags) filed`,
    );
  };
  const bobs = Prisma.sql`array_remove(ARRAY['frequent', CASE WHEN i % 2000 = 7 THEN 'rare' END, CASE WHEN i < 300 THEN 'old' END], NULL)`;
  await fill(await colleagueOf(service, ada), {
    first: 0,
    tags: Prisma.sql`CASE WHEN i % 2 = 0 THEN '{}' ELSE ${bobs} END`,
  });
  // What is rare here is frequent elsewhere.
  await fill(await newcomer(service), { first: 10_000, tags: Prisma.sql`ARRAY['rare', 'secret']` });
  // As if earlier transactions had changed them: the trigger, which would name this one, does not fire.
  await runSql(
    url,
    'SET session_replication_role = replica',
    `UPDATE thread SET changed_xid = 100 + right(id, 3)::int % 500 WHERE id LIKE 'thr_0000%'`,
    'RESET session_replication_role',
    'VACUUM ANALYZE',
  );
});

describe('the plan of a branch', () => {
  it('reads the turn of a variant alone, for the search', async ({ url, viewer }) => {
    const plan = await planOf(url, variantSql(viewer, oldest));
    const onMessages = plan.filter((step) => step['Relation Name'] === 'message');
    expect(rowsTouched(onMessages), printPlan(plan)).toBeLessThanOrEqual(3);
  });

  it('reads what a selection puts aside and what it brings back', async ({ url, database, viewer }) => {
    const variant = await findVariant(database, viewer, oldest);
    const plan = await planOf(url, selectSql(viewer, variant, variant.selected ?? expect.fail('none is selected')));
    const reads = plan.filter((step) => step['Relation Name'] === 'message' && /Scan/.test(String(step['Node Type'])));
    expect(rowsTouched(reads), printPlan(plan)).toBeLessThanOrEqual(12);
  });
});

const page: Omit<ListThreadsOptions, 'viewer' | 'filter'> = {
  order: { field: 'active_at', direction: 'desc' },
  after: null,
  limit: 50,
};

const explained = (url: string, viewer: Viewer, tag: string) =>
  planOf(url, pageSql({ ...page, viewer, filter: { tag } }));

describe('the plan of a page of the threads of a tag, which is made for the tag', () => {
  it('is not prepared, since one plan would not serve all tags', ({ viewer }) => {
    const names = new StatementNames();
    const { text } = pageSql({ ...page, viewer, filter: { tag: 'frequent' } });
    expect([names.of(text), names.of(text), names.of(text)]).toEqual(['', '', '']);
  });

  it('reads no more than the page of a frequent tag, first or later', async ({ url, viewer, database }) => {
    const filter = { tag: 'frequent' };
    const { cursors } = await listThreads(database, { ...page, viewer, filter, limit: 2000 });
    expect(cursors).toHaveLength(2001);
    for (const after of [null, cursors[1000] ?? null]) {
      expectIndexes(await planOf(url, pageSql({ ...page, viewer, filter, after })), 120);
    }
  });

  it('reads no more than the few threads of a rare tag, also one that others use often', async ({ url, viewer }) => {
    const plan = await explained(url, viewer, 'RARE');
    expectIndexes(plan, 10);
    expect(plan.map((step) => step['Index Name'])).toContain('thread_tagged');
  });

  it('reads no more than the threads of a tag that only old ones have', async ({ url, viewer }) => {
    expectIndexes(await explained(url, viewer, 'old'), 300);
  });

  it('reads nothing for a tag that only others have', async ({ url, viewer }) => {
    expectIndexes(await explained(url, viewer, 'secret'), 1);
  });
});

describe('the plan of the tags in use', () => {
  it('reads no more threads than are counted, in the order of the list', async ({ url, viewer, database }) => {
    const plan = await planOf(url, tagsInUseSql(viewer));
    // Each of them has up to three tags here.
    expectIndexes(plan, countedThreads * 1.1);
    expect(plan.map((step) => step['Index Name'])).toContain('thread_tagged_by_activity');
    expect(await readTagsInUse(database, viewer)).toEqual(['frequent', 'rare']);
  });
});

async function present(database: PrismaClient, viewer: Viewer): Promise<ChangeCursor> {
  const page = await readChanges(database, { viewer, after: null, limit: 1 });
  if (!page) throw new Error('The feed gave no position.');
  return page.next;
}

/** At most that many rows of threads in one step. */
async function expectTouched(url: string, viewer: Viewer, after: ChangeCursor, most: number): Promise<void> {
  const plan = await planOf(url, changesSql({ viewer, after, limit: 100 }));
  const onThreads = plan.filter((step) => step['Relation Name'] === 'thread');
  expect(rowsTouched(onThreads), printPlan(plan)).toBeLessThanOrEqual(most);
}

describe('the plan of a read of the feed', () => {
  it('reads a handful of rows if nothing has changed', async ({ url, database, viewer }) => {
    await expectTouched(url, viewer, await present(database, viewer), 5);
  });

  it('reads only those that have changed', async ({ url, database, viewer }) => {
    const before = await present(database, viewer);
    await database.$executeRaw`UPDATE thread SET name = 'new' WHERE id IN (SELECT id FROM thread ORDER BY id LIMIT 30)`;
    await expectTouched(url, viewer, before, 60);
  });

  it('reads about a page of rows if all have changed, first or later', async ({ url, database, viewer }) => {
    const { history } = await present(database, viewer);
    const beginning = { history, since: '1:1:', pagination: null };
    await expectTouched(url, viewer, beginning, 250);
    const page = await readChanges(database, { viewer, after: beginning, limit: 500 });
    if (!page?.next.pagination) throw new Error('There should be more pages.');
    await expectTouched(url, viewer, page.next, 250);
  });
});
