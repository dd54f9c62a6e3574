import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failUnclaimed } from '../../src/modules/responses/fail-unclaimed.js';
import { claim, expireAllLeases, type Run, takeOver } from '../../src/modules/responses/protocol.js';
import { lease, ProtocolWorld, workerNamed } from './protocol-world.js';

const [ann, bob] = [workerNamed('ann'), workerNamed('bob')];

let world: ProtocolWorld;
let listener: pg.Client;
/** Payloads of `response_changed` since the last look. */
const told: string[] = [];
beforeAll(async () => {
  world = await ProtocolWorld.open();
  listener = new pg.Client({ connectionString: world.storage.url });
  listener.on('notification', ({ payload }) => told.push(payload ?? ''));
  await listener.connect();
  await listener.query('LISTEN response_changed');
});
afterEach(() => world.removeThreads());
afterAll(async () => {
  await listener.end();
  await world.close();
});

async function notifications(): Promise<string[]> {
  await listener.query('SELECT 1');
  return told.splice(0);
}

async function running(): Promise<Run> {
  await world.ask();
  const [run] = await claim(world.database, ann, 1);
  return run ?? expect.fail('nothing was claimed');
}

describe('takeOver', () => {
  it('takes a run whose lease has passed: a new epoch and attempt, and the thread stays active where it is', async () => {
    const lost = await running();
    const before = await world.thread(lost.threadId);
    await world.expireLease(lost);
    await notifications();
    const [taken, ...others] = await takeOver(world.database, bob, 5);
    expect(taken).toMatchObject({ threadId: lost.threadId, messageId: lost.messageId, epoch: 2, attempt: 2 });
    expect(others).toEqual([]);
    expect(await world.thread(lost.threadId)).toEqual({ ...before, epoch: 2 });
    const response = await world.response(lost.messageId);
    expect(response).toMatchObject({ status: 'running', workerId: 'bob', epoch: 2, attempt: 2 });
    expect(response.leaseUntil?.getTime()).toBeGreaterThan(Date.now());
    expect(await notifications()).toEqual([lost.messageId]);
  });

  it('leaves alone what is waiting, has ended, or has a lease', async () => {
    const [ended, alive] = [await running(), await running()];
    await world.end(ended);
    await world.ask();
    expect(await takeOver(world.database, bob, 5)).toEqual([]);
    expect(await world.response(alive.messageId)).toMatchObject({ workerId: 'ann', epoch: 1 });
  });

  it('gives each lost run to one of many workers, and no more than they have slots for', async () => {
    const runs = [];
    for (let count = 0; count < 12; count += 1) runs.push(await running());
    await expireAllLeases(world.database);
    const workers = Array.from({ length: 6 }, (_, index) => workerNamed(`worker ${index}`));
    const taken = await Promise.all(workers.map((worker) => takeOver(world.database, worker, 1)));
    expect(taken.every((some) => some.length <= 1)).toBe(true);
    const rest = await takeOver(world.database, bob, 100);
    const names = [...taken.flat(), ...rest].map(({ messageId }) => messageId);
    expect(names.toSorted()).toEqual(runs.map(({ messageId }) => messageId).toSorted());
  });

  it('ends a response in error that was lost as often as it may be tried', async () => {
    let run = await running();
    for (let attempt = 2; attempt <= lease.maxAttempts; attempt += 1) {
      await world.expireLease(run);
      [run = expect.fail('nothing was taken over')] = await takeOver(world.database, bob, 1);
    }
    await world.expireLease(run);
    const before = await world.thread(run.threadId);
    await notifications();
    expect(await takeOver(world.database, bob, 1)).toEqual([]);
    const thread = await world.thread(run.threadId);
    expect(thread).toMatchObject({ state: 'error', epoch: lease.maxAttempts + 1 });
    expect(thread.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
    const response = await world.response(run.messageId);
    expect(response).toMatchObject({ status: 'failed', errorCode: 'worker_lost', leaseUntil: null });
    expect(await notifications()).toEqual([run.messageId]);
    expect(await world.end(run)).toBe(false);
  });

  it('ends a lost response in error whose time is over, whatever attempts are left', async () => {
    const run = await running();
    await world.passDeadline(run);
    await world.expireLease(run);
    expect(await takeOver(world.database, bob, 1)).toEqual([]);
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'error', epoch: 2 });
    expect(await world.response(run.messageId)).toMatchObject({ status: 'failed', errorCode: 'deadline_exceeded' });
  });

  it('gives a living worker one lease after the deadline to store what was said, then ends its run', async () => {
    const run = await running();
    await world.passDeadline(run, lease.leaseMs / 2);
    await takeOver(world.database, bob, 1);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'running', workerId: 'ann', epoch: 1 });
    await world.passDeadline(run, lease.leaseMs + 1);
    await takeOver(world.database, bob, 1);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'failed', errorCode: 'deadline_exceeded' });
    expect(await world.end(run)).toBe(false);
  });
});

describe('expireAllLeases', () => {
  it('lets every run be taken over, and touches nothing else', async () => {
    const [run, ended] = [await running(), await running()];
    await world.end(ended);
    const waiting = await world.ask();
    const before = [await world.response(ended.messageId), await world.response(waiting.messageId)];
    await expireAllLeases(world.database);
    expect([await world.response(ended.messageId), await world.response(waiting.messageId)]).toEqual(before);
    expect(await takeOver(world.database, bob, 5)).toMatchObject([{ messageId: run.messageId }]);
  });
});

describe('failUnclaimed', () => {
  it('ends what waited longer than the limit in error, with a reason, and nothing else', async () => {
    const [stale, fresh] = [await world.ask(), await world.ask()];
    await world.queuedSince(stale, 61_000);
    await notifications();
    await failUnclaimed(world.database, 60_000);
    expect(await world.thread(stale.threadId)).toMatchObject({ state: 'error', epoch: 1, queuedAt: null });
    expect(await world.response(stale.messageId)).toMatchObject({
      status: 'failed',
      errorCode: 'queue_timeout',
      epoch: 1,
    });
    expect(await notifications()).toEqual([stale.messageId]);
    expect(await world.thread(fresh.threadId)).toMatchObject({ state: 'waiting', epoch: 0 });
    expect(await claim(world.database, ann, 5)).toMatchObject([{ messageId: fresh.messageId }]);
  });
});
