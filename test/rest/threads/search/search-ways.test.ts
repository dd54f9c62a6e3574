/**
 * Whichever way a search takes through the database, it returns what its definition says: every visible thread that meets the
 * filters and whose name or active messages match, in order, over all pages, also if these end early. The definition is one
 * statement here that sorts all matches. Some rows are found by the folding of before.
 */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { findByIndex } from '../../../../src/modules/threads/list/find-by-index.js';
import { chooseIndexedQuery } from '../../../../src/modules/threads/list/indexed-query.js';
import {
  type CursorPage,
  cursorsOf,
  type ListThreadsOptions,
} from '../../../../src/modules/threads/list/list-threads.js';
import { searchThreads, usualSearchLimits } from '../../../../src/modules/threads/list/search-threads.js';
import type { ThreadFilter } from '../../../../src/modules/threads/list/thread-filter.js';
import { isStress, propertyRuns } from '../../../support/case-counts.js';
import { refold, storeFormerly } from '../../../support/database/former-vectors.js';
import { it } from '../../../support/fixtures/service.js';
import { colleagueOf, newcomer, orders } from '../../../support/threads.js';

/** Two of them at least have each word. */
const threadCount = isStress ? 240 : 120;

it.beforeAll(async ({ service, database, ada }) => {
  const owners = [ada, await colleagueOf(service, ada), await newcomer(service)];
  const people = await database.user.findMany({ where: { id: { in: owners.map(({ id }) => id) } } });
  // Times repeat, so that ids decide. Words are frequent, rare, never together, or only in what is old or inactive.
  const threads = Prisma.sql`
    INSERT INTO thread (id, organization_id, owner_id, name, is_private, archived, last_sequence, created_at, updated_at)
    SELECT 'thr_' || lpad(i::text, 26, '0'), p.organization_id, p.id, CASE WHEN i % 7 > 0 THEN 'name ' || CASE WHEN i % 5 = 0 THEN 'red' ELSE 'wine' END END,
      i % 11 = 0, i % 13 = 0, 2 * (i % 4), now() - (i * 7919 % 40) * interval '1 hour', now() - (i * 104729 % 30) * interval '1 minute'
    FROM generate_series(0, ${threadCount - 1}) i
    JOIN (SELECT id, organization_id, row_number() OVER (ORDER BY id) - 1 AS place FROM user_account WHERE id = ANY(${people.map(({ id }) => id)})) p
      ON p.place = i % 3`;
  const messages = Prisma.sql`
    INSERT INTO message (id, thread_id, sequence, role, active, contents, created_at)
    SELECT 'msg_' || lpad((i * 4 + k)::text, 26, '0'), 'thr_' || lpad(i::text, 26, '0'), 2 * k, 'user', (i + k) % 9 > 0,
      jsonb_build_array(jsonb_build_object('type', 'text', 'text',
        CASE (i + 3 * k) % 4 WHEN 0 THEN 'red wine' WHEN 1 THEN 'white wine' WHEN 2 THEN 'wine that is red' ELSE 'beer' END
        || CASE WHEN i % 3 = 0 THEN ' straße c++' ELSE ' strasse c' END
        || CASE WHEN i % 60 = 17 THEN ' winery' ELSE '' END || CASE WHEN i * 104729 % 30 > 25 THEN ' once' ELSE '' END)), now()
    FROM generate_series(0, ${threadCount - 1}) i, generate_series(1, i % 4) k`;
  await service.sql(threads, messages);
  // Some have the vectors that were stored before texts were folded anew.
  await storeFormerly(
    service,
    refold('thread', 'last_sequence > 2'),
    refold('message', 'right(id, 1) < $$4$$'),
    'ANALYZE',
  );
});

/** The ids of all threads that the search finds, in order. */
async function definition(
  database: PrismaClient,
  { viewer, filter, order }: Omit<ListThreadsOptions, 'after' | 'limit'>,
) {
  const direction = Prisma.raw(order.direction);
  const query = Prisma.sql`search_query(${filter.q})`;
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM thread t
    WHERE t.organization_id = ${viewer.organizationId} AND (NOT t.is_private OR t.owner_id = ${viewer.userId})
      AND (${filter.owned ?? null}::boolean IS NULL OR ${filter.owned ?? null} = (t.owner_id = ${viewer.userId}))
      AND (${filter.private ?? null}::boolean IS NULL OR ${filter.private ?? null} = t.is_private)
      AND CASE WHEN ${filter.onlyArchived ?? false} THEN t.archived ELSE ${filter.archived ?? false} OR NOT t.archived END
      AND t.id IN (
        SELECT id FROM thread WHERE search @@ ${query}
        UNION SELECT thread_id FROM message WHERE active AND search @@ ${query})
    ORDER BY t.${Prisma.raw(order.field)} ${direction}, t.id ${direction}`;
  return rows.map(({ id }) => id);
}

type ReadPage = (database: PrismaClient, options: ListThreadsOptions) => Promise<CursorPage>;

/** No more messages than this may have a prefix that the index looks up; below zero, none is looked up. */
const byIndex =
  (mostMessages: number): ReadPage =>
  async (database, options) => {
    const { q = '' } = options.filter;
    const whole = Prisma.sql`search_query(${q})`;
    const query = (await chooseIndexedQuery(database, q ?? '', mostMessages)) ?? whole;
    const rows = await findByIndex(database, options, { query, ms: 5_000 });
    return { cursors: cursorsOf(options, rows ?? []), end: null };
  };

const within =
  (limits: Partial<typeof usualSearchLimits>): ReadPage =>
  (database, options) =>
    searchThreads(database, options, { ...usualSearchLimits, indexMs: 5_000, ...limits });

/** The ways, and the choice between them after so little reading that every case comes up. */
const ways: Record<string, ReadPage> = {
  'reading the list': within({ firstWork: 1_000_000 }),
  'the index': byIndex(1_000_000),
  'the index without prefixes': byIndex(-1),
  'the cheaper way': within({ firstWork: 1 }),
  'the cheaper way, after some reading': within({ firstWork: 60 }),
  'pages that end after a little work': within({ firstWork: 1, work: 40 }),
  'pages that end after a little work, or use the index': within({ firstWork: 1, work: 200 }),
  'pages for which there is no time': within({ ms: 0 }),
};

/** What a client asks for the next page with: the cursor of the page, or the last thread if the page has one. */
const resumptions = {
  'from the end of the page': ({ end }: CursorPage, shown: CursorPage['cursors']) => end ?? shown.at(-1) ?? null,
  'from the last thread found': ({ end }: CursorPage, shown: CursorPage['cursors']) => shown.at(-1) ?? end,
};
/** A page that never ends early has no end but its last thread, whichever a client names. */
const readings = Object.entries(ways).flatMap(([way, readPage]) =>
  Object.entries(resumptions)
    .slice(way.startsWith('pages') ? 0 : 1)
    .map(([from, resume]) => ({ title: `${way}, ${from}`, readPage, resume })),
);
type Reading = Omit<(typeof readings)[number], 'title'>;

/** Each page examines a thread, and each thread is examined at most twice. */
const mostPages = 2 * threadCount;

/** The ids of all pages; `between` is called after the first. */
async function allPages(
  { readPage, resume }: Reading,
  database: PrismaClient,
  options: ListThreadsOptions,
  between?: () => Promise<unknown>,
) {
  const ids: string[] = [];
  let { after } = options;
  for (let pages = 0; pages <= mostPages; pages += 1) {
    const page = await readPage(database, { ...options, after });
    const shown = page.cursors.slice(0, options.limit);
    ids.push(...shown.map(({ id }) => id));
    if (page.cursors.length <= options.limit && !page.end) return ids;
    if (after === null) await between?.();
    after = resume(page, shown);
    if (!after) throw new Error('The page says that more follow, but not from where.');
  }
  throw new Error(`The reading of ${options.filter.q} does not end.`);
}

const word = fc.constantFrom(
  'red',
  'wine',
  'win',
  'white',
  'beer',
  'winery',
  'once',
  'name',
  'nothing',
  'that',
  'straße',
  'strasse',
  'straß',
  'c++',
  'c',
);
const term = fc.oneof(
  { weight: 3, arbitrary: word },
  word.map((text) => `-${text}`),
  fc.tuple(word, word).map((words) => `"${words.join(' ')}"`),
  fc.tuple(word, word).map((words) => words.join(' or ')),
);
const q = fc.oneof(
  { weight: 9, arbitrary: fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' ')) },
  fc.constant('!!'),
);
const filter: fc.Arbitrary<ThreadFilter> = fc.record(
  { q, owned: fc.boolean(), private: fc.boolean(), archived: fc.boolean(), onlyArchived: fc.boolean() },
  { requiredKeys: ['q'] },
);
const order = fc.constantFrom(...orders).map((sort) => ({ field: sort.sort_by, direction: sort.sort_dir }));

describe.for(readings)('a search by $title', (reading) => {
  it('returns every match that the viewer may see, once and in order', async ({ database, viewer }) => {
    const limit = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(filter, order, limit, async (filter, order, limit) => {
        const options = { viewer, filter, order, after: null, limit };
        expect(await allPages(reading, database, options)).toEqual(await definition(database, options));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('returns every match where it stood at the first page, whatever moves', async ({ database, viewer }) => {
    const order = { field: 'updated_at', direction: 'desc' } as const;
    await fc.assert(
      fc.asyncProperty(q, fc.integer({ min: 1, max: 20 }), fc.nat(9), async (q, limit, moving) => {
        const options = { viewer, filter: { q }, order, after: null, limit };
        const expected = await definition(database, options);
        const move = () =>
          database.$executeRaw`
            UPDATE thread SET updated_at = clock_timestamp() WHERE right(id, 1) = ${String(moving)}`;
        expect(await allPages(reading, database, options, move)).toEqual(expected);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
