/**
 * What PostgreSQL does for a page of the threads of a tag, and for the tags in use, on 20,000 threads of two organizations: a
 * frequent tag is read in the order of the list, a rare one by its index, and no table as a whole.
 */
import { describe, expect } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { StatementNames } from '../../../src/database/statement-names.js';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { type ListThreadsOptions, listThreads, pageSql } from '../../../src/modules/threads/list/list-threads.js';
import { countedThreads, readTagsInUse, tagsInUseSql } from '../../../src/modules/threads/tags/tags-in-use.js';
import { type PlanStep, planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { runSql } from '../../support/server.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
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
  await runSql(url, 'VACUUM ANALYZE');
});

const page: Omit<ListThreadsOptions, 'viewer' | 'filter'> = {
  order: { field: 'active_at', direction: 'desc' },
  after: null,
  limit: 50,
};

const explained = (url: string, viewer: Viewer, tag: string) =>
  planOf(url, pageSql({ ...page, viewer, filter: { tag } }));

function expectIndexes(plan: PlanStep[], most: number): void {
  expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
  expect(plan.map((step) => step['Node Type'])).not.toContain('Seq Scan');
}

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
