/**
 * The guarantee of the list under change: the pages return every thread that existed at the first one, and none twice except
 * in the order "oldest update first"; and they end.
 */
import fc from 'fast-check';
import pg from 'pg';
import { describe } from 'vitest';
import { propertyRuns } from '../../../support/case-counts.js';
import { serviceTest } from '../../../support/fixtures/service.js';
import type { Person, TestService } from '../../../support/service.js';
import { addThreads, colleagueOf, listThreads, newcomer, orders } from '../../../support/threads.js';
import { type Change, ThreadChanges } from './thread-changes.js';

type Order = (typeof orders)[number];

/** More pages than any list of these tests can have. */
const maximumPages = 400;

interface PagedReadingOptions {
  person: Person;
  order: Order;
  q: string | null;
  /** All threads that existed at the first page; messages of failures name them by their index here. */
  ids: readonly string[];
  /** Those of them that the pages must return. */
  known: readonly string[];
}

/** One caller's reading of the list, page by page, and what must hold for it whatever others do meanwhile. */
class PagedReading {
  readonly served: string[] = [];
  readonly #pages: string[] = [];
  #after: string | null = null;
  #isOver = false;

  constructor(private readonly options: PagedReadingOptions) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads the next page. */
  async next(limit: number): Promise<void> {
    if (this.#isOver) return;
    const after = this.#after === null ? {} : { after: this.#after };
    const q = this.options.q === null ? {} : { q: this.options.q };
    const page = await listThreads(this.options.person.rest, { ...this.options.order, ...q, limit, ...after });
    const ids = page.data.map(({ id }) => id);
    this.served.push(...ids);
    this.#pages.push(
      `${limit} after ${this.#name(this.#after)} → ${ids.map((id) => this.#name(id)).join(' ')}${page.has_more ? ' …' : ''}`,
    );
    this.#after = page.last_id ?? this.#after;
    this.#isOver = !page.has_more;
    if (this.#pages.length > maximumPages) throw new Error(`The reading does not end.${this}`);
  }

  /** Throws where a known thread was not served, or where one was served twice that cannot come twice in this order. */
  check(): void {
    const missing = this.options.known.filter((id) => !this.served.includes(id));
    const twice = [...new Set(this.served.filter((id, place) => this.served.indexOf(id) !== place))];
    const mayComeTwice = this.options.order.sort_by === 'updated_at' && this.options.order.sort_dir === 'asc';
    if (missing.length > 0) throw new Error(`Never served: ${this.#names(missing)}.${this}`);
    if (twice.length > 0 && !mayComeTwice) throw new Error(`Served twice: ${this.#names(twice)}.${this}`);
  }

  /** Describes the reading, one line per page. */
  toString(): string {
    const { sort_by, sort_dir } = this.options.order;
    const known = this.options.known.map((id) => this.#name(id)).join(' ');
    const title = `The reading by ${sort_by} ${sort_dir}, q=${this.options.q}, over ${known}:`;
    return `\n${title}\n  ${this.#pages.join('\n  ')}\n`;
  }

  #names(ids: readonly string[]): string {
    return ids.map((id) => this.#name(id)).join(', ');
  }

  #name(id: string | null): string {
    if (id === null) return 'nothing';
    const place = this.options.ids.indexOf(id);
    return place < 0 ? `new:${id.slice(-6)}` : `#${place}`;
  }
}

const it = serviceTest().extend('pool', { scope: 'file' }, ({ service }, { onCleanup }) => {
  const pool = new pg.Pool({ connectionString: service.storage.url, max: 16, lock_timeout: 3000 });
  onCleanup(() => pool.end());
  return pool;
});

interface Step {
  /** Size of the page that is read in this step. */
  limit: number;
  /** Made before the page is asked for. */
  before: Change[];
  /** Made while it is read. */
  during: Change[];
}

interface Scenario {
  /** Many threads are equally old, some younger than a minute and some older. */
  threads: { ageSeconds: number; isPrivate: boolean; name: 'red' | 'blue' }[];
  /** Concurrent readers of all pages. Two with the same order are two users. */
  queries: { order: Order; q: 'red' | null }[];
  steps: Step[];
}

/** Without the null prototypes that would fill the counterexample. */
function record<T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const thread = fc.nat({ max: 11 });
const times = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 1, arbitrary: fc.constant(20) },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: record({ do: fc.constant('move' as const), thread, times }) },
  { weight: 4, arbitrary: record({ do: fc.constant('move the last one served' as const), times }) },
  {
    weight: 2,
    arbitrary: record({ do: fc.constant('move at one moment' as const), threads: fc.array(thread, { maxLength: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: record({
      do: fc.constant('move and commit late' as const),
      thread,
      pages: fc.integer({ min: 1, max: 3 }),
      commits: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'create' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'post' as const }) },
  { weight: 1, arbitrary: record({ do: fc.constant('send' as const), thread }) },
);

const step = record<Step>({
  limit: fc.integer({ min: 1, max: 4 }),
  before: fc.array(change, { maxLength: 4 }),
  during: fc.array(change, { maxLength: 4 }),
});

const scenario = record<Scenario>({
  threads: fc.array(
    record<Scenario['threads'][number]>({
      ageSeconds: fc.constantFrom(0, 1, 2, 90, 7200),
      isPrivate: fc.boolean(),
      name: fc.constantFrom('red', 'red', 'blue'),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  queries: fc.array(
    record<Scenario['queries'][number]>({ order: fc.constantFrom(...orders), q: fc.constantFrom(null, null, 'red') }),
    { minLength: 1, maxLength: 2 },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
});

async function run(service: TestService, pool: pg.Pool, { threads, queries, steps }: Scenario): Promise<void> {
  const owner = await newcomer(service);
  const colleague = await colleagueOf(service, owner);
  const now = Date.now();
  const seeds = threads.map(({ ageSeconds, ...seed }) => ({ ...seed, createdAt: new Date(now - ageSeconds * 1000) }));
  const ids = await addThreads(service, owner, seeds);
  const changes = new ThreadChanges({ service, pool, owner, ids });
  const readings = queries.map((query, place) => {
    const person = place > 0 && queries[0]?.order === query.order ? colleague : owner;
    const isKnown = (thread = threads[0]) =>
      (person === owner || !thread?.isPrivate) && (query.q === null || query.q === thread?.name);
    return new PagedReading({ person, ...query, ids, known: ids.filter((_id, i) => isKnown(threads[i])) });
  });
  const lastServed = () => readings.flatMap(({ served }) => served.at(-1) ?? []);
  try {
    for (const { limit, before, during } of steps) {
      await changes.make(before, lastServed());
      await Promise.all([changes.make(during, lastServed()), ...readings.map((reading) => reading.next(limit))]);
      await changes.pageWasRead();
    }
  } finally {
    await changes.end();
  }
  for (const reading of readings) {
    while (!reading.isOver) await reading.next(steps[0]?.limit ?? 1);
    reading.check();
  }
}

describe('GET /threads › pages while threads are created and change', () => {
  it('return every thread, and end', async ({ service, pool }) => {
    // A slow machine tries fewer scenarios, and looks less long for a smaller counterexample.
    const endMs = Date.now() + 12_000;
    let tried = 0;
    const property = fc.asyncProperty(scenario, async (given) => {
      if (tried >= 20 && Date.now() > endMs) return;
      tried += 1;
      await run(service, pool, given);
    });
    await fc.assert(property, { numRuns: propertyRuns(150) });
  }, 120_000);
});
