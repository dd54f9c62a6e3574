/**
 * The guarantee of the feed: whoever follows it from a position, in pages of any size, with breaks anywhere, holds in the end
 * what the list holds, whatever transactions changed the threads and in whatever order they committed.
 */
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect } from 'vitest';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { propertyRuns } from '../../support/case-counts.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { FeedClient } from '../tokens/feed-client.js';
import { ChangingThreads, type Way, ways } from './changing-threads.js';

const it = serviceTest()
  .extend('pool', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const pool = new pg.Pool({ connectionString: service.storage.url, max: 8, lock_timeout: 3000 });
    onCleanup(() => pool.end());
    return pool;
  })
  .extend('owner', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('viewers', { scope: 'file' }, async ({ service, owner }) => {
    const people = [owner, await colleagueOf(service, owner), await newcomer(service)];
    return Promise.all(people.map((person) => service.viewerOf(person)));
  });

type Step =
  | { do: 'begin'; transaction: number }
  | { do: 'change'; transaction: number; way: Way; place: number }
  | { do: 'end'; transaction: number; commits: boolean }
  | { do: 'read'; client: number; limit: number; taken: number };

/** Without the null prototypes that would fill the counterexample. */
function record<T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const transaction = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: record({ do: fc.constant('begin' as const), transaction }) },
  {
    weight: 8,
    arbitrary: record({
      do: fc.constant('change' as const),
      transaction,
      way: fc.constantFrom(...ways),
      place: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      do: fc.constant('end' as const),
      transaction,
      commits: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      do: fc.constant('read' as const),
      client: fc.nat({ max: 2 }),
      limit: fc.integer({ min: 1, max: 3 }),
      taken: fc.integer({ min: 0, max: 3 }),
    }),
  },
);

async function startClient(service: TestService, viewer: Viewer): Promise<FeedClient> {
  const client = new FeedClient(service.database, viewer);
  await client.start();
  return client;
}

async function run(
  { service, pool, owner, viewers }: { service: TestService; pool: pg.Pool; owner: Person; viewers: Viewer[] },
  steps: readonly Step[],
): Promise<void> {
  await service.database.thread.deleteMany();
  const threads = await ChangingThreads.of(service, pool, owner);
  for (const way of ['create', 'create', 'create private'] as const) await threads.change(0, way, 0);
  await threads.endAll();
  const clients = await Promise.all(viewers.map((viewer) => startClient(service, viewer)));
  try {
    for (const made of steps) {
      if (made.do === 'begin') await threads.begin(made.transaction);
      else if (made.do === 'change') await threads.change(made.transaction, made.way, made.place);
      else if (made.do === 'end') await threads.end(made.transaction, made.commits);
      else await clients[made.client]?.read(made.limit, made.taken);
    }
  } finally {
    await threads.endAll();
  }
  for (const [place, client] of clients.entries()) {
    await client.catchUp(2);
    expect(client.held(), `what ${['the owner', 'a colleague', 'a stranger'][place]} holds`).toEqual(
      await client.list(),
    );
  }
  const [, colleague, stranger] = clients;
  expect([...(stranger?.named ?? [])], 'threads of others').toEqual([]);
  const neverPublic = { id: { in: [...(colleague?.named ?? [])] }, isPrivate: true, hiddenXid: null };
  expect(await service.database.thread.count({ where: neverPublic }), 'threads that were never public').toBe(0);
}

describe('the feed of changed threads', () => {
  it('becomes the list, for any order of changes, commits and reads', async ({ service, pool, owner, viewers }) => {
    // A slow machine tries fewer scenarios, and looks less long for a smaller counterexample.
    const runs = process.env['RUNS'];
    const endMs = runs === undefined ? Date.now() + 6_000 : Number.POSITIVE_INFINITY;
    let tried = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (steps) => {
      if (tried >= 20 && Date.now() > endMs) return;
      tried += 1;
      await run({ service, pool, owner, viewers }, steps);
    });
    await fc.assert(property, { numRuns: Number(runs ?? propertyRuns(100)) });
  }, 600_000);
});
