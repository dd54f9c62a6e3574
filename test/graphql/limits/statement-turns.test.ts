/** The statements of an operation: as many permits as are free, one at least, and none that is waited for while holding another. */
import { GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { operationShare } from '../../../src/graphql/limits/operation-share.js';
import { StatementTurns } from '../../../src/graphql/limits/statement-turns.js';
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.js';
import { gate } from '../../support/model/model-script.js';

const principal = { organizationId: 1, userId: 'ada' };

async function begin(perUser: number, operations: number) {
  const permits = new FairSemaphore({ total: 20, perOrganization: 16, perUser, waitingPerUser: 100 });
  const held: StatementTurns[] = [];
  for (let n = 0; n < operations; n += 1) {
    held.push(new StatementTurns(permits, principal, await permits.acquire(principal)));
  }
  return { permits, held };
}

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
const many = (turns: StatementTurns, count: number, statement: () => Promise<void>) =>
  Array.from({ length: count }, () => turns.run(() => statement()));

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
    const { permits } = await begin(1, 0);
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
    const { permits } = await begin(1, 0);
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
    const { permits } = await begin(1, 0);
    const { statements } = await execute('{ a }', { permits, limitMs: 60_000 }, async (database) => {
      for (let field = 0; field < 3; field += 1) void database.$queryRaw();
      await settle();
    });
    expect([statements.running.length, permits.used]).toEqual([1, 1]);
    await statements.endOne();
    expect([statements.running.length, permits.used]).toEqual([0, 0]);
  });

  it('run in parallel as far as its user has permits', async () => {
    const { permits, held } = await begin(8, 1);
    const statements = new Statements();
    const all = held.flatMap((turns) => many(turns, 30, statements.begin));
    await settle();
    expect([statements.running.length, permits.used]).toEqual([8, 8]);
    while (statements.ended < 30) {
      expect(permits.used).toBeLessThanOrEqual(8);
      await statements.endOne();
    }
    await Promise.all(all);
    expect(permits.used).toBe(1);
  });

  it('all run, one after another, if every permit is held by an operation with more to do', async () => {
    const { permits, held } = await begin(8, 8);
    const statements = new Statements();
    const all = held.flatMap((turns) => many(turns, 3, statements.begin));
    await settle();
    expect([statements.running.length, permits.used]).toEqual([8, 8]);
    while (statements.ended < 24) await statements.endOne();
    await Promise.all(all);
    for (const turns of held) turns.end();
    expect(permits.used).toBe(0);
  });

  it('take one permit if they become one statement', async () => {
    const { permits, held } = await begin(8, 1);
    const statements = new Statements();
    const all = held.flatMap((turns) => Array.from({ length: 50 }, () => turns.run(statements.begin, 'user by id')));
    await settle();
    expect([statements.running.length, permits.used]).toEqual([50, 1]);
    while (statements.ended < 50) await statements.endOne();
    await Promise.all(all);
  });
});
