/** The statements of an operation: as many turns as are free, one at least, and none that is waited for while holding another. */
import { GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Permit } from '../../../src/graphql/limits/operation-turn.js';
import { runWithin } from '../../../src/graphql/limits/time-limit.js';
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.js';
import { silent } from '../../database/sandbox.js';
import { gate } from '../../support/model/model-script.js';

const principal = { organizationId: 1, userId: 'ada' };

async function begin(perUser: number, operations: number) {
  const turns = new FairSemaphore({ total: 20, perOrganization: 16, perUser, waitingPerUser: 100 });
  const caller = new AbortController();
  const held: Permit[] = [];
  for (let n = 0; n < operations; n += 1) {
    held.push(new Permit(turns, principal, caller.signal, await turns.acquire(principal)));
  }
  return { turns, held, caller };
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
const many = (turn: Permit, count: number, statement: () => Promise<void>) =>
  Array.from({ length: count }, () => turn.run(statement));

describe('the statements of an operation', () => {
  it('begin no more after the time limit, unless they change something', async () => {
    const { turns, held } = await begin(1, 1);
    const statements = new Statements();
    const [turn] = held;
    const late = gate();
    const work = async () => {
      await turn?.run(statements.begin);
      late.open();
      await turn?.run(statements.begin);
      return {};
    };
    const operation = {
      schema: new GraphQLSchema({}),
      document: parse('{ a }'),
      contextValue: { turn, logger: silent },
    };
    await runWithin({ limitMs: 1, isMutation: false }, operation, work);
    void turn?.end();
    await statements.endOne();
    await late.passed;
    await settle();
    expect([statements.running.length, turns.used]).toEqual([0, 0]);
  });

  it('hold its turn until the last has ended, even if its caller was answered at the time limit', async () => {
    const { turns, held } = await begin(1, 1);
    const statements = new Statements();
    const pause = gate();
    const work = async () => {
      for (const turn of held) {
        await turn.run(statements.begin);
        await pause.passed;
        await turn.run(statements.begin);
      }
      return {};
    };
    const [turn] = held;
    const operation = {
      schema: new GraphQLSchema({}),
      document: parse('{ a }'),
      contextValue: { turn, logger: silent },
    };
    const limit = { limitMs: 1, isMutation: true };
    expect((await runWithin(limit, operation, work)).errors).toMatchObject([{ extensions: { limit: 'time' } }]);
    void turn?.end();
    await statements.endOne();
    expect([statements.running.length, turns.used], 'between two statements').toEqual([0, 1]);
    pause.open();
    await settle();
    expect([statements.running.length, turns.used]).toEqual([1, 1]);
    await statements.endOne();
    expect(turns.used).toBe(0);
  });

  it('run in parallel as far as its user has turns', async () => {
    const { turns, held } = await begin(8, 1);
    const statements = new Statements();
    const all = held.flatMap((turn) => many(turn, 30, statements.begin));
    await settle();
    expect([statements.running.length, turns.used]).toEqual([8, 8]);
    while (statements.ended < 30) {
      expect(turns.used).toBeLessThanOrEqual(8);
      await statements.endOne();
    }
    await Promise.all(all);
    expect(turns.used).toBe(1);
  });

  it('all run, one after another, if every turn is held by an operation with more to do', async () => {
    const { turns, held } = await begin(8, 8);
    const statements = new Statements();
    const all = held.flatMap((turn) => many(turn, 3, statements.begin));
    await settle();
    expect([statements.running.length, turns.used]).toEqual([8, 8]);
    while (statements.ended < 24) await statements.endOne();
    await Promise.all(all);
    for (const turn of held) await turn.end();
    expect(turns.used).toBe(0);
  });

  it('wait while the turn is suspended and no other is free, and run when it is back', async () => {
    const { turns, held } = await begin(1, 1);
    const [turn] = held as [Permit];
    const statements = new Statements();
    let endWait: () => void = () => undefined;
    const suspended = turn.suspend(() => new Promise<void>((resolve) => (endWait = resolve)));
    const releaseOther = await turns.acquire(principal);
    const result = turn.run(statements.begin);
    endWait();
    await settle();
    expect(statements.running).toHaveLength(0);
    releaseOther();
    await settle();
    await statements.endOne();
    await Promise.all([result, suspended]);
    await turn.end();
    expect(turns.used).toBe(0);
  });

  it('keep the turn from being suspended while one of them runs', async () => {
    const { turns, held } = await begin(1, 1);
    const [turn] = held as [Permit];
    const statements = new Statements();
    const result = turn.run(statements.begin);
    const suspended = turn.suspend(settle);
    expect(turns.used).toBe(1);
    await settle();
    await statements.endOne();
    await Promise.all([result, suspended]);
    await turn.end();
    expect(turns.used).toBe(0);
  });

  it('take one turn if they become one statement', async () => {
    const { turns, held } = await begin(8, 1);
    const statements = new Statements();
    const all = held.flatMap((turn) => Array.from({ length: 50 }, () => turn.run(statements.begin, 'user by id')));
    await settle();
    expect([statements.running.length, turns.used]).toEqual([50, 1]);
    while (statements.ended < 50) await statements.endOne();
    await Promise.all(all);
  });

  it('all run if the caller leaves while the turn is suspended', async () => {
    const { turns, held, caller } = await begin(1, 1);
    const [turn] = held as [Permit];
    let endWait: () => void = () => undefined;
    const suspended = turn.suspend(() => new Promise<void>((resolve) => (endWait = resolve)));
    const releaseOther = await turns.acquire(principal);
    const result = turn.run(() => Promise.resolve('done'));
    caller.abort();
    endWait();
    await suspended;
    expect(await result).toBe('done');
    await turn.end();
    releaseOther();
    expect(turns.used).toBe(0);
  });
});
