/**
 * What PostgreSQL does for a page of the list, on 6,000 threads and messages of two organizations: it must touch about as
 * many rows as it serves, and find words by their index. Rows are counted by running the statement (EXPLAIN ANALYZE).
 */
import { describe, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../../../../src/modules/identity/authenticate.js';
import { matchesSql } from '../../../../src/modules/threads/list/find-matches.js';
import { type ListThreadsOptions, listThreads, pageSql } from '../../../../src/modules/threads/list/list-threads.js';
import { listedSql } from '../../../../src/modules/threads/list/listed-threads.js';
import { type PlanStep, planOf, preparedPlanOf, printPlan, rowsTouched } from '../../../support/database/query-plan.js';
import { serviceTest } from '../../../support/fixtures/service.js';
import { runSql } from '../../../support/server.js';
import type { Person } from '../../../support/service.js';
import { colleagueOf, newcomer, orders } from '../../../support/threads.js';

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
it.beforeAll(async ({ service, url, database, ada }) => {
  const bob = await colleagueOf(service, ada);
  // Bob has nearly all threads of the organization; of 100 one is private and one archived.
  const fill = async (threads: { owner: Person; first: number; count: number }) =>
    runSql(url, ...(await threadsOf(database, threads)));
  await fill({ owner: bob, first: 0, count: 2950 });
  await fill({ owner: ada, first: 2950, count: 50 });
  await fill({ owner: await newcomer(service), first: 3000, count: 3000 });
  await runSql(
    url,
    // With few users, reading all of them is the shortest way to one.
    `INSERT INTO user_account (id, organization_id, email)
     SELECT 'usr_' || lpad(i::text, 26, '0'), (SELECT min(id) FROM organization), i || '@plan.test' FROM generate_series(1, 2000) i`,
    // Each has moved once.
    `UPDATE thread SET updated_at = updated_at + interval '1 millisecond'`,
    'VACUUM ANALYZE',
  );
});

/** The statements that insert them, each with a message. */
async function threadsOf(
  database: PrismaClient,
  { owner, first, count }: { owner: Person; first: number; count: number },
): Promise<Prisma.Sql[]> {
  const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: owner.id } });
  const threads = Prisma.sql`
    INSERT INTO thread (id, organization_id, owner_id, name, is_private, archived, created_at, updated_at)
    SELECT 'thr_' || lpad(i::text, 26, '0'), ${organizationId}, ${owner.id}, 'name' || i, i % 100 = 0, i % 100 = 1,
      now() - interval '9 days' + i * interval '1 second', now() - interval '2 days' + i * interval '1 second'
    FROM generate_series(${first}::int, ${first + count - 1}::int) i`;
  const messages = Prisma.sql`
    INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
    SELECT 'msg_' || right(id, 26), id, 2, 'user', jsonb_build_array(jsonb_build_object('text', 'said' || right(id, 5))), updated_at
    FROM thread WHERE owner_id = ${owner.id}`;
  return [threads, messages];
}

const page: Omit<ListThreadsOptions, 'viewer'> = {
  filter: {},
  order: { field: 'updated_at', direction: 'desc' },
  after: null,
  limit: 50,
};

/** Those of REST, and the one that only GraphQL has. */
const allOrders = [
  ...orders,
  { sort_by: 'active_at', sort_dir: 'desc' },
  { sort_by: 'active_at', sort_dir: 'asc' },
] as const;

const indexes = {
  updated_at: { all: 'thread_organization_id_updated_at_id_idx', archived: 'thread_archived_by_update' },
  created_at: { all: 'thread_organization_id_created_at_id_idx', archived: 'thread_archived_by_creation' },
  active_at: { all: 'thread_by_activity', archived: 'thread_archived_by_activity' },
};

const ways = { planned: planOf, prepared: preparedPlanOf };

function scansOf(plan: PlanStep[], kind: RegExp): string[] {
  return plan
    .filter((node) => kind.test(node['Node Type']))
    .map((node) => node['Index Name'] ?? node['Relation Name'] ?? '');
}

/** The cursor of the thread at that place of the list. */
async function cursorAt(database: PrismaClient, viewer: Viewer, place: number, options: Partial<ListThreadsOptions>) {
  const { cursors } = await listThreads(database, { ...page, viewer, ...options, limit: place });
  return cursors[place - 1] ?? null;
}

describe.for([
  ['of ids, planned', pageSql, ways.planned, 120],
  ['of ids, prepared', pageSql, ways.prepared, 120],
  ['of threads, planned', listedSql, ways.planned, 180],
  ['of threads, prepared', listedSql, ways.prepared, 180],
] as const)('the plan of a page %s', ([, statementOf, planOfStatement, most]) => {
  function explain(url: string, viewer: Viewer, options: Partial<ListThreadsOptions>): Promise<PlanStep[]> {
    return planOfStatement(url, statementOf({ ...page, viewer, ...options }));
  }

  it.for(allOrders)('reads the page by index ($sort_by $sort_dir)', async (sort, { url, database, viewer }) => {
    const order = { field: sort.sort_by, direction: sort.sort_dir };
    for (const after of [
      null,
      await cursorAt(database, viewer, 50, { order }),
      await cursorAt(database, viewer, 1500, { order }),
    ]) {
      const plan = await explain(url, viewer, { order, after });
      expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
      expect(scansOf(plan, /^Seq Scan$/), printPlan(plan)).toEqual([]);
      expect(scansOf(plan, /^Index( Only)? Scan$/)).toContain(indexes[sort.sort_by].all);
    }
  });

  it('reads only own threads if only these are requested', async ({ url, viewer }) => {
    const filters = [{ owned: true }, { private: true }, { owned: true, archived: true }, { ownerId: viewer.userId }];
    for (const filter of filters) {
      for (const field of ['updated_at', 'active_at'] as const) {
        const plan = await explain(url, viewer, { filter, order: { field, direction: 'desc' } });
        expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
      }
    }
  });

  it('reads nothing if private threads of others are requested, which nobody sees', async ({ url, viewer }) => {
    const plan = await explain(url, viewer, { filter: { private: true, owned: false } });
    expect(rowsTouched(plan), printPlan(plan)).toBe(0);
  });

  it.for(allOrders)('reads archived threads alone ($sort_by $sort_dir)', async (sort, { url, database, viewer }) => {
    const order = { field: sort.sort_by, direction: sort.sort_dir };
    for (const after of [null, await cursorAt(database, viewer, 20, { order, filter: { onlyArchived: true } })]) {
      const plan = await explain(url, viewer, { order, after, filter: { onlyArchived: true } });
      expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most / 2);
      expect(scansOf(plan, /Scan$/), printPlan(plan)).toContain(indexes[sort.sort_by].archived);
    }
  });

  it('reads only what was updated since', async ({ url, viewer }) => {
    const updatedSince = new Date(Date.now() - 2 * 86_400_000 + 2990_000);
    const plan = await explain(url, viewer, { filter: { updatedSince } });
    expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
  });

  it('reads few more threads than have moved, on a late page', async ({ url, database, viewer }) => {
    const after = await cursorAt(database, viewer, 50, {});
    await database.$executeRaw`
      UPDATE thread SET updated_at = now() WHERE id IN (SELECT id FROM thread ORDER BY created_at LIMIT 100)`;
    const plan = await explain(url, viewer, { after });
    expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most + 100);
  });
});

describe('the plan of what a search has found on a page', () => {
  it('reads only the newest messages of each thread', async ({ url, database, viewer }) => {
    const { cursors } = await listThreads(database, { ...page, viewer });
    const threadIds = cursors.slice(0, 50).map(({ id }) => id);
    for (const q of ['name', 'said', 'said02990', '-said']) {
      const plan = await planOf(url, matchesSql(viewer, { q, threadIds }));
      expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(60);
      expect(scansOf(plan, /^Seq Scan$/), printPlan(plan)).toEqual([]);
    }
  });
});
