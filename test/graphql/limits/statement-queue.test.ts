/** The statements of an operation: one at a time, and under its permit. */
import { GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/builder.js';
import { AnswerBudget } from '../../../src/graphql/limits/answer-budget.js';
import { operationShare } from '../../../src/graphql/limits/operation-share.js';
import { StatementQueue } from '../../../src/graphql/limits/statement-queue.js';
import { Turn } from '../../../src/graphql/limits/turn.js';
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.js';
import { gate } from '../../support/model/model-script.js';

const principal = { organizationId: 1, userId: 'ada' };

const onePermit = () => new FairSemaphore({ total: 20, perOrganization: 16, perUser: 1, waitingPerUser: 100 });

/** Statements that end when they are told to. */
class Statements {
  readonly running: (() => void)[] = [];
  ended = 0;

  readonly begin = (): Promise<void> =>
    new Promise<void>((resolve) => this.running.push(resolve)).then(() => {
      this.ended += 1;
    });

  async endOne(): Promise<void> {
    this.running.shift()?.();
    await settle();
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Database {
  $queryRaw: () => Promise<void>;
}

/** Executes a document that does `work`, within a millisecond where nothing else is said. */
async function execute(
  document: string,
  { permits, limitMs = 1 }: { permits: FairSemaphore; limitMs?: number },
  work: (database: Database) => Promise<unknown>,
) {
  const statements = new Statements();
  const contextValue = {
    turns: permits,
    viewer: principal,
    answer: new AnswerBudget(),
    signal: new AbortController().signal,
    database: { $queryRaw: statements.begin },
  };
  const args = { schema: new GraphQLSchema({}), document: parse(document), contextValue };
  let executeFn = ({ contextValue: { database } }: { contextValue: { database: Database } }) => work(database);
  operationShare({ query: limitMs, mutation: limitMs }).onExecute?.({
    args,
    executeFn,
    setExecuteFn: (wrapped: typeof executeFn) => (executeFn = wrapped),
  } as never);
  return { statements, result: await executeFn(args as never) };
}

describe('the statements of an operation', () => {
  it('begin no more after the time limit, unless they change something', async () => {
    const permits = onePermit();
    const late = gate();
    const { statements } = await execute('{ a }', { permits }, async (database) => {
      await database.$queryRaw();
      late.open();
      await database.$queryRaw();
    });
    expect(permits.used, 'while the first one runs').toBe(1);
    await statements.endOne();
    await late.passed;
    await settle();
    expect([statements.running.length, permits.used]).toEqual([0, 0]);
  });

  it('hold its permit until the last has ended, even if its caller was answered at the time limit', async () => {
    const permits = onePermit();
    const pause = gate();
    const { statements, result } = await execute('mutation { a }', { permits }, async (database) => {
      await database.$queryRaw();
      await pause.passed;
      await database.$queryRaw();
    });
    expect(result).toMatchObject({ errors: [{ extensions: { limit: 'time' } }] });
    await statements.endOne();
    expect([statements.running.length, permits.used], 'between two statements').toEqual([0, 1]);
    pause.open();
    await settle();
    expect([statements.running.length, permits.used]).toEqual([1, 1]);
    await statements.endOne();
    expect(permits.used).toBe(0);
  });

  it('begin no more when the operation has ended, and hold its permit while one of them runs', async () => {
    const permits = onePermit();
    const { statements } = await execute('{ a }', { permits, limitMs: 60_000 }, async (database) => {
      for (let field = 0; field < 3; field += 1) void database.$queryRaw();
      await settle();
    });
    expect([statements.running.length, permits.used]).toEqual([1, 1]);
    await statements.endOne();
    expect([statements.running.length, permits.used]).toEqual([0, 0]);
  });

  it('run one after another', async () => {
    const queue = new StatementQueue();
    const statements = new Statements();
    const all = Array.from({ length: 30 }, () => queue.run(() => statements.begin()));
    for (let ended = 0; ended < 30; ended += 1) {
      await settle();
      expect([statements.running.length, statements.ended]).toEqual([1, ended]);
      await statements.endOne();
    }
    await Promise.all(all);
  });

  it('run together if they become one statement', async () => {
    const queue = new StatementQueue();
    const statements = new Statements();
    const all = Array.from({ length: 50 }, () => queue.run(statements.begin, 'user by id'));
    all.push(queue.run(statements.begin, 'thread by id'));
    await settle();
    expect(statements.running).toHaveLength(50);
    while (statements.ended < 51) await statements.endOne();
    await Promise.all(all);
  });
});

describe('a turn', () => {
  async function lentTurn() {
    const permits = onePermit();
    const holder = { turns: permits, viewer: principal, signal: new AbortController().signal };
    const turn = new Turn(holder as unknown as Context, await permits.acquire(principal));
    const room = gate();
    return { permits, turn, room, lent: turn.lend(() => room.passed) };
  }

  it('is another operation’s while it is lent, and is awaited then', async () => {
    const { permits, turn, room, lent } = await lentTurn();
    const release = await permits.acquire(principal);
    room.open();
    await settle();
    expect(permits.tryAcquire(principal)).toBeNull();
    release();
    await lent;
    expect(permits.used).toBe(1);
    turn.end();
    expect(permits.used).toBe(0);
  });

  it('is not kept if its operation ends before it has it again', async () => {
    const { permits, turn, room, lent } = await lentTurn();
    const release = await permits.acquire(principal);
    room.open();
    await settle();
    turn.end();
    release();
    await lent;
    expect(permits.used).toBe(0);
    await turn.lend(() => room.passed);
    expect(permits.used).toBe(0);
  });
});
