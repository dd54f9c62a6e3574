/**
 * What PostgreSQL does for a page of a search, on 2,500 threads with 10,000 messages and those of another organization: for words
 * that are frequent it reads little more of the list than the page, and for rare ones it reads them by their index. Rows are
 * counted by running the statements that the search sent (EXPLAIN ANALYZE).
 */
import { describe, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { indexSql, indexSettings as settingsFor } from '../../../../src/modules/threads/list/find-by-index.js';
import type { ListThreadsOptions } from '../../../../src/modules/threads/list/list-threads.js';
import { searchThreads, usualSearchLimits } from '../../../../src/modules/threads/list/search-threads.js';
import { type PlanStep, planOf, printPlan, rowsTouched } from '../../../support/database/query-plan.js';
import { serviceTest } from '../../../support/fixtures/service.js';
import { runSql } from '../../../support/server.js';
import { newcomer, orders } from '../../../support/threads.js';

const it = serviceTest().extend('url', { scope: 'file' }, ({ service }) => service.storage.url);
it.beforeAll(async ({ service, url, ada }) => {
  const eve = await newcomer(service);
  await runSql(
    url,
    Prisma.sql`
      INSERT INTO thread (id, organization_id, owner_id, name, last_sequence, created_at, updated_at)
      SELECT 'thr_' || lpad(i::text, 26, '0'), u.organization_id, u.id, 'name', 8,
        now() - interval '9 days' + i * interval '1 second', now() - interval '2 days' + i * interval '1 second'
      FROM generate_series(0, 2999) i
      JOIN user_account u ON u.id = CASE WHEN i % 6 = 0 THEN ${eve.id} ELSE ${ada.id} END`,
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
     SELECT 'msg_' || lpad((i * 4 + k)::text, 26, '0'), 'thr_' || lpad(i::text, 26, '0'), 2 * k, 'user',
       jsonb_build_array(jsonb_build_object('type', 'text', 'text', concat_ws(' ', 'every', 'work' || i,
         CASE WHEN (i + k) % 3 = 0 THEN 'third' END, CASE WHEN (i + k) % 2 = 0 THEN 'left' ELSE 'right' END,
         CASE WHEN i % 3 = 1 THEN 'red wine' ELSE 'wine or red' END, CASE WHEN i % 700 = 5 THEN 'rare' END))), now()
     FROM generate_series(0, 2999) i, generate_series(1, 4) k`,
    'VACUUM ANALYZE',
  );
});

const indexSettings = settingsFor(5_000);

/** A busy machine may not give up the index. */
const limits = { ...usualSearchLimits, indexMs: 5_000 };

/** The statements that read threads for the first page of the search, within transactions and outside. */
async function statementsOf(database: PrismaClient, options: ListThreadsOptions): Promise<Prisma.Sql[]> {
  const sent: Prisma.Sql[] = [];
  const recorded = <Client extends Pick<PrismaClient, '$queryRaw'>>(client: Client): Client =>
    Object.create(client, {
      $queryRaw: {
        value: (statement: Prisma.Sql) => {
          sent.push(statement);
          return client.$queryRaw(statement);
        },
      },
    });
  const $transaction = (work: (transaction: Prisma.TransactionClient) => Promise<unknown>) =>
    database.$transaction((transaction) => work(recorded(transaction)));
  await searchThreads(Object.create(recorded(database), { $transaction: { value: $transaction } }), options, limits);
  return sent.filter(({ text }) => !/^\s*(EXPLAIN|SELECT set_config|SELECT querytree)/.test(text));
}

/** The names of the indexes and tables that the steps read in full or by index. */
function scansOf(plan: readonly PlanStep[]): string[] {
  return plan
    .filter((step) => /Scan/.test(step['Node Type']))
    .map((step) => `${step['Node Type']} ${step['Index Name'] ?? step['Relation Name'] ?? ''}`);
}

/** Another order has another index, for any words. Of each kind of search, the first stands for all others then. */
const sorts = orders.map((sort, index) => ({ field: sort.sort_by, direction: sort.sort_dir, isUsual: index === 0 }));

describe.for(sorts)('the plan of a search ($field $direction)', ({ isUsual, ...order }) => {
  const page = { order, after: null, limit: 50 };
  const some = <Case>(cases: readonly Case[]) => (isUsual ? cases : cases.slice(0, 1));

  it.for(
    some([
      ['a word in every message', 'every', 210],
      ['a word in a third of them', 'third', 240],
      ['two frequent words', 'every third', 240],
      ['a prefix', 'wor', 210],
      ['a phrase', '"red wine"', 600],
      ['a negation', 'wine -left', 240],
      ['a negation alone', '-left', 60],
      ['a word of the names', 'name', 60],
    ] as const),
  )('reads only the list as far as the page for %s', async ([_title, q, most], { url, database, viewer }) => {
    const statements = await statementsOf(database, { ...page, viewer, filter: { q } });
    expect(statements).toHaveLength(1);
    const plan = await planOf(url, statements[0] ?? Prisma.empty);
    expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(most);
    expect(scansOf(plan).join('\n')).not.toMatch(/Seq Scan|_search/);
  });

  it.for(
    some([
      ['a rare word', 'rare'],
      ['a word that nobody said', 'nothing'],
      ['a rare word that is negated by another', 'rare -left'],
      ['a phrase with a rare word', '"wine rare"'],
      ['either of two rare words', 'rare or nothing'],
      ['a rare word beside one that has two foldings', 'rare -straße'],
      ['a word that nobody said and that has two foldings', 'straße'],
    ] as const),
  )('reads some of the list, then the index, for %s', async ([_title, q], { url, database, viewer }) => {
    const statements = await statementsOf(database, { ...page, viewer, filter: { q } });
    expect(statements).toHaveLength(2);
    const [walking = Prisma.empty, finding = Prisma.empty] = statements;
    const walk = await planOf(url, walking);
    const index = await planOf(url, finding, indexSettings);
    expect(rowsTouched(walk), printPlan(walk)).toBeLessThanOrEqual(1_500);
    expect(scansOf(walk).join('\n')).not.toMatch(/Seq Scan|_search/);
    expect(rowsTouched(index), printPlan(index)).toBeLessThanOrEqual(60);
    expect(scansOf(index).join('\n')).not.toMatch(/Seq Scan/);
    expect(scansOf(index)).toEqual(
      expect.arrayContaining(['Bitmap Index Scan thread_search', 'Bitmap Index Scan message_search']),
    );
  });

  it.for(
    some([
      ['a word in every message', 'every'],
      ['two frequent words that are never together', 'left right'],
      ['a phrase of frequent words', '"wine red"'],
      ['a word that must not be with itself', 'every -every'],
    ] as const),
  )(
    'reads nothing but the index and what it returns for %s, if it uses the index',
    async ([_title, q], { url, viewer }) => {
      const plan = await planOf(
        url,
        indexSql({ ...page, viewer, filter: { q } }, Prisma.sql`search_query(${q})`),
        indexSettings,
      );
      expect(scansOf(plan).join('\n')).not.toMatch(/Seq Scan/);
      expect(scansOf(plan)).toContain('Bitmap Index Scan message_search');
      expect(plan.map((step) => step['Node Type']).join('\n')).not.toMatch(/Gather/);
    },
  );
});
