/**
 * Threads of one organization that change in transactions which stay open for as long as a test likes, and end in any order.
 * A thread that a transaction has changed is left alone by the others until that one ends: they would wait for its row.
 */
import type pg from 'pg';
import { createId } from '../../../src/ids.js';
import type { Person, TestService } from '../../support/service.js';

export const ways = [
  'create',
  'create private',
  'rename',
  'archive',
  'unarchive',
  'hide',
  'show',
  'touch twice',
] as const;
export type Way = (typeof ways)[number];

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

export class ChangingThreads {
  readonly #pool: pg.Pool;
  readonly #open = new Map<number, Open>();
  readonly #ids: string[] = [];
  readonly #organizationId: number;
  readonly #owner: Person;

  private constructor(pool: pg.Pool, organizationId: number, owner: Person) {
    this.#pool = pool;
    this.#organizationId = organizationId;
    this.#owner = owner;
  }

  static async of(service: TestService, pool: pg.Pool, owner: Person): Promise<ChangingThreads> {
    const { organizationId } = await service.database.user.findUniqueOrThrow({ where: { id: owner.id } });
    return new ChangingThreads(pool, organizationId, owner);
  }

  /** Gives the transaction of this number its place among all, before it changes anything. */
  async begin(transaction: number): Promise<void> {
    if (this.#open.has(transaction)) return;
    const client = await this.#pool.connect();
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    this.#open.set(transaction, { client, touched: new Set() });
  }

  /** Changes one of the threads, or adds one, in the transaction of this number. */
  async change(transaction: number, way: Way, place: number): Promise<void> {
    await this.begin(transaction);
    const open = this.#open.get(transaction);
    if (!open) throw new Error('The transaction was begun just now.');
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
      [id, this.#organizationId, this.#owner.id, isPrivate],
    );
  }
}
