/**
 * The guarantee of the feed: whoever follows it from a position, in pages of any size, with breaks anywhere, holds in the end
 * what the list holds, whatever transactions changed the threads and in whatever order they committed.
 */

import fc from 'fast-check';
import pg from 'pg';
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createId } from '../../../src/ids.js';
import { decodeChangeCursor, encodeChangeCursor } from '../../../src/modules/feeds/change-cursor.js';
import { readChanges } from '../../../src/modules/feeds/read-changes.js';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { visibleTo } from '../../../src/modules/threads/visibility.js';
import { propertyRuns } from '../../support/case-counts.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

interface View {
  id: string;
  name: string | null;
  archived: boolean;
  isPrivate: boolean;
}

const select = { id: true, name: true, archived: true, isPrivate: true } as const;

/** Keeps a list of threads by what the feed says, as a client does: it leaves in the middle of pages, and comes back. */
class FeedClient {
  /** What the client holds now. */
  readonly threads = new Map<string, View>();
  /** Every thread that the feed ever named. */
  readonly named = new Set<string>();
  #cursor: string | undefined;

  constructor(
    private readonly database: PrismaClient,
    private readonly viewer: Viewer,
  ) {}

  /** Takes the present position, and then the list. */
  async start(): Promise<void> {
    const page = await readChanges(this.database, { viewer: this.viewer, after: null, limit: 1 });
    if (!page) throw new Error('The feed gave no position.');
    this.#cursor = encodeChangeCursor(page.next);
    for (const thread of await this.list()) this.threads.set(thread.id, thread);
  }

  /** Reads a page of up to `limit` changes and applies at most `taken` of them. True when there is nothing more. */
  async read(limit: number, taken = limit): Promise<boolean> {
    const after = decodeChangeCursor(this.#cursor ?? '');
    const page = await readChanges(this.database, { viewer: this.viewer, after, limit });
    if (!page) throw new Error('The feed ended.');
    for (const { threadId, isVisible, cursor } of page.changes.slice(0, taken)) {
      this.named.add(threadId);
      const where = { id: threadId, AND: [visibleTo(this.viewer)] };
      const thread = await this.database.thread.findFirst({ select, where });
      if (thread) this.threads.set(threadId, thread);
      else if (!isVisible) this.threads.delete(threadId);
      this.#cursor = encodeChangeCursor(cursor);
    }
    if (taken < page.changes.length) return false;
    this.#cursor = encodeChangeCursor(page.next);
    return page.isLast;
  }

  /** Reads to the end; throws where that does not come. */
  async catchUp(limit: number): Promise<void> {
    for (let pages = 0; pages < 200; pages += 1) if (await this.read(limit)) return;
    throw new Error('The feed has no end.');
  }

  /** What the viewer's list holds now. */
  list(): Promise<View[]> {
    return this.database.thread.findMany({ select, where: visibleTo(this.viewer), orderBy: { id: 'asc' } });
  }

  /** What the client holds, in the order of `list`. */
  held(): View[] {
    return [...this.threads.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

const ways = ['create', 'create private', 'rename', 'archive', 'unarchive', 'hide', 'show', 'touch twice'] as const;
type Way = (typeof ways)[number];

const updates: Partial<Record<Way, string>> = {
  rename: `name = 'name ' || pg_current_xact_id()::text`,
  archive: 'archived = true',
  unarchive: 'archived = false',
  hide: 'is_private = true',
  show: 'is_private = false',
  'touch twice': 'updated_at = clock_timestamp()',
};

interface Open {
  client: pg.PoolClient;
  touched: Set<string>;
}

/**
 * Threads of one owner that change in transactions which stay open for as long as a test likes, and end in any order. A thread that a
 * transaction has changed is left alone by the others until that one ends: they would wait for its row.
 */
class ChangingThreads {
  readonly #open = new Map<number, Open>();
  readonly #ids: string[] = [];

  constructor(
    private readonly pool: pg.Pool,
    private readonly owner: Viewer,
  ) {}

  /** Gives the transaction of this number its place among all, before it changes anything. */
  async begin(transaction: number): Promise<Open> {
    const known = this.#open.get(transaction);
    if (known) return known;
    const open: Open = { client: await this.pool.connect(), touched: new Set() };
    await open.client.query('BEGIN; SELECT pg_current_xact_id()');
    this.#open.set(transaction, open);
    return open;
  }

  /** Changes one of the threads, or adds one, in the transaction of this number. */
  async change(transaction: number, way: Way, place: number): Promise<void> {
    const open = await this.begin(transaction);
    if (way === 'create' || way === 'create private') return this.#create(open, way === 'create private');
    const id = this.#ids[place % Math.max(this.#ids.length, 1)];
    const isTaken = [...this.#open.values()].some((other) => other !== open && id && other.touched.has(id));
    if (id === undefined || isTaken) return;
    open.touched.add(id);
    const times = way === 'touch twice' ? 2 : 1;
    for (let n = 0; n < times; n += 1) await open.client.query(`UPDATE thread SET ${updates[way]} WHERE id = $1`, [id]);
  }

  async end(transaction: number, commits: boolean): Promise<void> {
    const open = this.#open.get(transaction);
    if (!open) return;
    this.#open.delete(transaction);
    await open.client.query(commits ? 'COMMIT' : 'ROLLBACK');
    open.client.release();
  }

  async endAll(): Promise<void> {
    for (const transaction of [...this.#open.keys()]) await this.end(transaction, true);
  }

  async #create({ client, touched }: Open, isPrivate: boolean): Promise<void> {
    const id = createId('thr');
    this.#ids.push(id);
    touched.add(id);
    await client.query(
      `INSERT INTO thread (id, organization_id, owner_id, name, is_private, created_at, updated_at)
       VALUES ($1, $2, $3, 'new', $4, now(), now())`,
      [id, this.owner.organizationId, this.owner.userId, isPrivate],
    );
  }
}

const it = serviceTest()
  .extend('pool', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const pool = new pg.Pool({ connectionString: service.storage.url, max: 8, lock_timeout: 3000 });
    onCleanup(() => pool.end());
    return pool;
  })
  .extend('viewers', { scope: 'file' }, async ({ service }): Promise<Stage['viewers']> => {
    const owner = await newcomer(service);
    const others = [await colleagueOf(service, owner), await newcomer(service)].map((other) => service.viewerOf(other));
    return [await service.viewerOf(owner), ...(await Promise.all(others))];
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

interface Stage {
  database: PrismaClient;
  pool: pg.Pool;
  viewers: [owner: Viewer, ...others: Viewer[]];
}

async function run({ database, pool, viewers }: Stage, steps: readonly Step[]): Promise<void> {
  await database.thread.deleteMany();
  const threads = new ChangingThreads(pool, viewers[0]);
  for (const way of ['create', 'create', 'create private'] as const) await threads.change(0, way, 0);
  await threads.endAll();
  const clients = viewers.map((viewer) => new FeedClient(database, viewer));
  for (const client of clients) await client.start();
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
  expect(await database.thread.count({ where: neverPublic }), 'threads that were never public').toBe(0);
}

describe('the feed of changed threads', () => {
  it('becomes the list, for any order of changes, commits and reads', async ({ database, pool, viewers }) => {
    // A slow machine tries fewer scenarios, and looks less long for a smaller counterexample.
    const runs = process.env['RUNS'];
    const endMs = runs === undefined ? Date.now() + 6_000 : Number.POSITIVE_INFINITY;
    let tried = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (steps) => {
      if (tried >= 20 && Date.now() > endMs) return;
      tried += 1;
      await run({ database, pool, viewers }, steps);
    });
    await fc.assert(property, { numRuns: Number(runs ?? propertyRuns(100)) });
  }, 600_000);
});
