/**
 * Statements of the protocol whose transactions overlap in time: a lane is a connection of its own, which runs statements
 * in an open transaction until it is told to commit or to roll back. Whether a statement waits for a lock is read from
 * PostgreSQL's table of locks, where one that was granted counts at once, so nothing here sleeps.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { ProtocolWorld } from '../protocol-world.js';

export type Act = (database: PrismaClient) => Promise<unknown>;

export class Lane {
  /** What the statement came to; undefined while it runs, and before the first. */
  result: { value: unknown } | { error: unknown } | undefined;
  /** Whether a transaction is open. */
  isOpen = false;
  readonly #client: pg.Client;
  readonly #monitor: pg.Client;
  readonly #database: PrismaClient;
  readonly #pid: number;

  private constructor(clients: { client: pg.Client; monitor: pg.Client; database: PrismaClient; pid: number }) {
    this.#client = clients.client;
    this.#monitor = clients.monitor;
    this.#database = clients.database;
    this.#pid = clients.pid;
  }

  /** `monitor` sees who waits; `committed` reads what is committed, for what a statement looks up after a refusal. */
  static async open(
    url: string,
    { monitor, committed }: { monitor: pg.Client; committed: PrismaClient },
  ): Promise<Lane> {
    const client = new pg.Client({ connectionString: url, application_name: 'lane' });
    await client.connect();
    // So that a statement locks and changes one thread after the other, as it does in a large table.
    await client.query('SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? expect.fail('the connection has no process');
    return new Lane({ client, monitor, database: inTransaction(client, committed), pid });
  }

  /** Runs the statement, in a new transaction where none is open; resolves when it is done, or waits for a lock. */
  async start(act: Act): Promise<void> {
    if (!this.isOpen) await this.#client.query('BEGIN');
    this.isOpen = true;
    this.result = undefined;
    act(this.#database).then(
      (value) => {
        this.result = { value };
      },
      (error: unknown) => {
        this.result = { error };
      },
    );
    await this.atRest();
  }

  /** Whether the statement runs or waits. */
  get isBusy(): boolean {
    return this.isOpen && this.result === undefined;
  }

  /** Resolves when the statement is done or waits for a lock: true where it waits. */
  async atRest(): Promise<boolean> {
    await Lane.allAtRest([this]);
    return this.isBusy;
  }

  /** Resolves when each of the lanes is done with its statement, or waits for a lock. */
  static async allAtRest(lanes: readonly Lane[]): Promise<void> {
    for (let busy = lanes.filter(({ isBusy }) => isBusy); busy[0]; busy = busy.filter(({ isBusy }) => isBusy)) {
      const { rows } = await busy[0].#monitor.query<{ pid: number }>(
        'SELECT pid FROM unnest($1::int[]) pid WHERE pg_blocking_pids(pid) <> $2',
        [busy.map((lane) => lane.#pid), '{}'],
      );
      const waiting = new Set(rows.map(({ pid }) => pid));
      if (busy.every((lane) => !lane.isBusy || waiting.has(lane.#pid))) return;
    }
  }

  /** What the statement gave; throws what it threw. */
  get value(): unknown {
    if (!this.result) return expect.fail('the statement is not done');
    if ('error' in this.result) throw this.result.error;
    return this.result.value;
  }

  async commit(): Promise<void> {
    await this.#client.query('COMMIT');
    this.isOpen = false;
  }

  async rollback(): Promise<void> {
    await this.#client.query('ROLLBACK');
    this.isOpen = false;
  }

  /** Ends every open transaction, that of whoever waits after that of whom it waits for. */
  static async endAll(lanes: readonly Lane[], how: 'commit' | 'rollback'): Promise<void> {
    for (let open = lanes.filter(({ isOpen }) => isOpen); open.length > 0; open = open.filter(({ isOpen }) => isOpen)) {
      await Lane.allAtRest(open);
      // Of two that wait for the same transaction, either may come first.
      await (open.find(({ isBusy }) => !isBusy) ?? expect.fail('all wait for each other'))[how]();
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** As much of a Prisma client as the protocol needs: its statements run on the connection. */
function inTransaction(client: pg.Client, { thread, response }: PrismaClient): PrismaClient {
  const run = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const { text, values: parameters } = 'text' in query ? query : Prisma.sql(query, ...values);
    return (await client.query(text, parameters)).rows;
  };
  return { $queryRaw: run, $executeRaw: run, thread, response } as unknown as PrismaClient;
}

/** A world whose statements run in lanes, and the connection that sees who waits. */
interface LaneStage {
  world: ProtocolWorld;
  monitor: pg.Client;
  lanes: [Lane, Lane, Lane, Lane];
}

/** A stage for the tests of a file, after these statements; each test leaves no transaction open, and no threads. */
export function openedLanes(...statements: string[]): () => LaneStage {
  let stage: LaneStage;
  beforeAll(async () => {
    const world = await ProtocolWorld.open();
    const monitor = new pg.Client({ connectionString: world.storage.url });
    await monitor.connect();
    for (const statement of statements) await monitor.query(statement);
    const open = () => Lane.open(world.storage.url, { monitor, committed: world.database });
    stage = { world, monitor, lanes: await Promise.all([open(), open(), open(), open()]) };
  });
  afterEach(async () => {
    await Lane.endAll(stage.lanes, 'rollback');
    await stage.world.removeThreads();
  });
  afterAll(async () => {
    await Promise.all(stage.lanes.map((lane) => lane.close()));
    await stage.monitor.end();
    await stage.world.close();
  });
  return () => stage;
}

/** Runs statements that each wait for one before, which commits only when they all wait; gives what they came to. */
export async function overlap(lanes: readonly Lane[], ...acts: Act[]): Promise<unknown[]> {
  for (const [index, act] of acts.entries()) {
    await lanes[index]?.start(act);
    expect(await lanes[index]?.atRest(), `statement ${index + 1} waits`).toBe(index > 0);
  }
  await Lane.endAll(lanes, 'commit');
  return acts.map((_, index) => lanes[index]?.value);
}
