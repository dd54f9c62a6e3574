/**
 * The cost of a read of the feed for PostgreSQL, on 12,000 threads of two organizations: it reads by index about as many rows
 * as have changed, and almost none if nothing has, however old the position is.
 */
import { describe, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { ChangeCursor } from '../../../src/modules/feeds/change-cursor.js';
import { changesSql, readChanges } from '../../../src/modules/feeds/read-changes.js';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { runSql } from '../../support/server.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
it.beforeAll(async ({ service, url, ada }) => {
  const bob = await colleagueOf(service, ada);
  await fill(service, { owner: bob, first: 0, count: 6000 });
  await fill(service, { owner: await newcomer(service), first: 6000, count: 6000 });
  await runSql(url, 'VACUUM ANALYZE');
});

async function fill(
  service: TestService,
  { owner, first, count }: { owner: Person; first: number; count: number },
): Promise<void> {
  const { organizationId } = await service.database.user.findUniqueOrThrow({ where: { id: owner.id } });
  // As if earlier transactions had changed them: the trigger, which would name this one, does not fire.
  await service.sql(
    'SET session_replication_role = replica',
    Prisma.sql`
      INSERT INTO thread (id, organization_id, owner_id, is_private, created_at, updated_at, changed_xid)
      SELECT 'thr_' || lpad(i::text, 26, '0'), ${organizationId}, ${owner.id}, i % 3 = 0, now(), now(), 100 + i % 500
      FROM generate_series(${first}::int, ${first + count - 1}::int) i`,
  );
}

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
