import { describe, expect, onTestFinished, vi } from 'vitest';
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import { expireAllLeases, heartbeat } from '../../../src/modules/responses/protocol/lease.js';
import { noteRetry } from '../../../src/modules/responses/protocol/note-retry.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../src/modules/responses/protocol/restart.js';
import { ConnectivityTracker } from '../../../src/modules/responses/worker/connectivity-tracker.js';
import { Reclaimer } from '../../../src/modules/responses/worker/reclaimer.js';
import { logger } from '../../support/silent-logger.js';
import { it, lease, type ProtocolWorld, workerNamed } from './protocol-world.js';

const bob = workerNamed('bob');

describe('reclaim', () => {
  it('takes a run whose lease has expired, with a new epoch and attempt', async ({ world, changes }) => {
    const lost = await world.running();
    const before = await world.thread(lost.threadId);
    await world.expireLease(lost);
    await changes.take();
    const begunMs = Date.now();
    const [taken, ...others] = await reclaim(world.database, bob, 5);
    expect(taken).toMatchObject({ threadId: lost.threadId, messageId: lost.messageId, epoch: 2, attempt: 2 });
    expect(others).toEqual([]);
    expect(await world.thread(lost.threadId)).toEqual({ ...before, epoch: 2 });
    const response = await world.response(lost.messageId);
    expect(response).toMatchObject({ status: 'running', workerId: 'bob', epoch: 2, attempt: 2 });
    expect(response.leaseUntil?.getTime()).toBeGreaterThanOrEqual(begunMs + lease.leaseMs);
    expect(await changes.take()).toEqual([lost.messageId]);
  });

  it('counts the calls of the model before it: an attempt is at least one', async ({ world }) => {
    const [silent, repeated] = [await world.running(), await world.running()];
    const note = { call: 3, maxCalls: 4, wasSeen: false, code: 'model_unavailable', message: 'It is away.', spent: 3 };
    await noteRetry(world.database, repeated, note);
    await Promise.all([silent, repeated].map((run) => world.expireLease(run)));
    const taken = await reclaim(world.database, bob, 5);
    const callsOf = ({ messageId }: { messageId: string }) =>
      taken.find((run) => run.messageId === messageId)?.callsBefore;
    expect([callsOf(silent), callsOf(repeated)]).toEqual([1, 3]);
  });

  it('takes before its lease expires only what others left, not what was renewed', async ({ world }) => {
    const [left, renewed, own] = [await world.running(), await world.running(), await world.running()];
    const unrenewedMs = 2_000;
    await world.expireLease(left, -(lease.leaseMs - unrenewedMs - 1_000));
    await world.expireLease(own, -(lease.leaseMs - unrenewedMs - 1_000));
    await world.database.response.update({ where: { messageId: own.messageId }, data: { workerId: 'bob' } });
    expect(await reclaim(world.database, bob, 5)).toEqual([]);
    expect(await reclaim(world.database, bob, 5, unrenewedMs)).toMatchObject([
      { messageId: left.messageId, epoch: 2, attempt: 2 },
    ]);
    expect(await world.response(renewed.messageId)).toMatchObject({ workerId: 'ann', epoch: 1 });
    expect(await world.response(own.messageId)).toMatchObject({ workerId: 'bob', epoch: 1 });
  });

  it('assigns each lost run to one of many workers, and no more than they have slots for', async ({ world }) => {
    const runs = [];
    for (let count = 0; count < 12; count += 1) runs.push(await world.running());
    await expireAllLeases(world.database);
    const workers = Array.from({ length: 6 }, (_, index) => workerNamed(`worker ${index}`));
    const taken = await Promise.all(workers.map((worker) => reclaim(world.database, worker, 1)));
    expect(taken.every((some) => some.length <= 1)).toBe(true);
    const rest = await reclaim(world.database, bob, 100);
    const names = [...taken.flat(), ...rest].map(({ messageId }) => messageId);
    expect(names.toSorted()).toEqual(runs.map(({ messageId }) => messageId).toSorted());
  });

  it('fails a response that was lost as often as it may be tried', async ({ world, changes }) => {
    let run = await world.running();
    for (let attempt = 2; attempt <= lease.maxAttempts; attempt += 1) {
      await world.expireLease(run);
      [run = expect.fail('nothing was reclaimed')] = await reclaim(world.database, bob, 1);
    }
    await world.expireLease(run);
    const before = await world.thread(run.threadId);
    await changes.take();
    expect(await reclaim(world.database, bob, 1)).toEqual([]);
    const thread = await world.thread(run.threadId);
    expect(thread).toMatchObject({ state: 'error', epoch: lease.maxAttempts + 1 });
    expect(thread.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
    const response = await world.response(run.messageId);
    expect(response).toMatchObject({ status: 'failed', errorCode: 'worker_lost', leaseUntil: null });
    expect(await changes.take()).toEqual([run.messageId]);
    expect(await world.end(run)).toBe(false);
  });

  it('fails a lost response past its deadline, whatever attempts are left', async ({ world }) => {
    const run = await world.running();
    await world.passDeadline(run);
    await world.expireLease(run);
    expect(await reclaim(world.database, bob, 1)).toEqual([]);
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'error', epoch: 2 });
    expect(await world.response(run.messageId)).toMatchObject({ status: 'failed', errorCode: 'deadline_exceeded' });
  });

  it('gives a live worker one lease after the deadline to store its text, then ends its run', async ({ world }) => {
    const run = await world.running();
    await world.passDeadline(run, lease.leaseMs / 2);
    await reclaim(world.database, bob, 1);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'running', workerId: 'ann', epoch: 1 });
    await world.passDeadline(run, lease.leaseMs + 1);
    await reclaim(world.database, bob, 1);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'failed', errorCode: 'deadline_exceeded' });
    expect(await world.end(run)).toBe(false);
  });

  it('leaves a run whose time is over by the clock of the database, but not by that of its worker', async ({
    world,
  }) => {
    const ann = workerNamed('ann');
    const run = await world.running();
    await world.passDeadline(run, 10 * lease.leaseMs);
    const [kept] = await heartbeat(world.database, ann, [run]);
    expect(kept?.deadlineMs).toBeGreaterThan(performance.now());
    expect(await reclaim(world.database, bob, 1)).toEqual([]);
    await world.passDeadline(run, 10 * lease.leaseMs);
    expect(await restart(world.database, ann, run)).toMatchObject({
      attempt: 2,
      deadlineMs: expect.closeTo(run.deadlineMs, -4),
    });
    expect(await reclaim(world.database, bob, 1)).toEqual([]);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'running', workerId: 'ann', epoch: 2 });
  });
});

describe('reclaim of a response with a stop request', () => {
  it('ends it as interrupted, with the reason, whatever else is used up', async ({ world, changes }) => {
    const [fresh, late] = [await world.running(), await world.running()];
    await world.passDeadline(late);
    for (const run of [fresh, late]) {
      await world.requestStop(run);
      await world.expireLease(run);
    }
    await changes.take();
    expect(await reclaim(world.database, bob, 5)).toEqual([]);
    for (const run of [fresh, late]) {
      expect(await world.thread(run.threadId)).toMatchObject({ state: 'interrupted', epoch: 2 });
      const response = await world.response(run.messageId);
      expect(response).toMatchObject({ status: 'interrupted', errorCode: 'response_interrupted', leaseUntil: null });
      expect(await world.end(run)).toBe(false);
    }
    expect((await changes.take()).toSorted()).toEqual([fresh.messageId, late.messageId].toSorted());
  });
});

it('expireAllLeases makes every run reclaimable, and touches nothing else', async ({ world }) => {
  const [run, ended] = [await world.running(), await world.running()];
  await world.end(ended);
  const waiting = await world.ask();
  const before = [await world.response(ended.messageId), await world.response(waiting.messageId)];
  await expireAllLeases(world.database);
  expect([await world.response(ended.messageId), await world.response(waiting.messageId)]).toEqual(before);
  expect(await reclaim(world.database, bob, 5)).toMatchObject([{ messageId: run.messageId }]);
});

/** The database, by whose clock it is the time that `nowMs` gives, where only the time is asked for. */
function withClock(world: ProtocolWorld, nowMs: () => number): PrismaClient {
  const { database } = world;
  const ask = (query: TemplateStringsArray | Prisma.Sql, ...values: (Prisma.Sql | number)[]) =>
    ('sql' in query ? query.sql : query.join('')).includes('"nowMs"')
      ? Promise.resolve([{ nowMs: nowMs() }])
      : database.$queryRaw(query, ...values);
  return new Proxy(database, { get: (target, name) => (name === '$queryRaw' ? ask : Reflect.get(target, name)) });
}

/** The part of a worker that looks for lost responses; by the clock of its database it is the time that `nowMs` gives. */
function reclaimerOf(
  world: ProtocolWorld,
  { nowMs, queueLimitMs }: { nowMs: () => number; queueLimitMs: number | null },
) {
  const leases = withClock(world, nowMs);
  const options = { queueLimitMs, repairMs: null, lease, othersWork: async () => true, leases, logger };
  return new Reclaimer(options, new ConnectivityTracker(logger, lease.leaseMs));
}

/** A worker that has been alive for longer than a lease. Its checks are at times of the monotonic clock. */
async function establishedWorker(world: ProtocolWorld) {
  // A whole number: with fractions, the sum of two times is not always what their difference was.
  const startMs = Math.round(performance.now());
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(startMs);
  onTestFinished(() => monotonic.mockRestore());
  let clockMs = Date.now();
  const reclaimer = reclaimerOf(world, { nowMs: () => clockMs, queueLimitMs: null });
  const lookAt = async (afterMs: number, { leapMs = 0 } = {}) => {
    clockMs += startMs + afterMs + leapMs - performance.now();
    monotonic.mockReturnValue(startMs + afterMs);
    const taken = await reclaimer.run(
      () => workerNamed('bob'),
      () => 10,
    );
    return taken.map(({ messageId }) => messageId);
  };
  await lookAt(0);
  await lookAt(lease.leaseMs);
  return { lookAt, nowMs: lease.leaseMs };
}

it('takes nobody for lost when the clock leaps ahead, until a lease later', async ({ world }) => {
  const { lookAt, nowMs } = await establishedWorker(world);
  const run = await world.running();
  await world.expireLease(run);
  expect(await lookAt(nowMs + 1_000, { leapMs: 3_600_000 })).toEqual([]);
  expect(await lookAt(nowMs + lease.leaseMs)).toEqual([]);
  expect(await lookAt(nowMs + 1_001 + lease.leaseMs)).toEqual([run.messageId]);
});

it('takes a lease that expires in its time for that of a lost worker at once', async ({ world }) => {
  const { lookAt, nowMs } = await establishedWorker(world);
  const run = await world.running();
  await world.expireLease(run);
  expect(await lookAt(nowMs + 30_000)).toEqual([run.messageId]);
});

const limitMs = 300_000;
/** As long as a worker may be silent. */
const longestGapMs = lease.leaseMs;

/** A message that has waited for an hour, and a worker that starts only now. Its checks are at times after its first one. */
async function lateWorker(world: ProtocolWorld) {
  const waiting = await world.ask();
  await world.queuedSince(waiting, 3_600_000);
  const startMs = Date.now();
  let nowMs = startMs;
  const reclaimer = reclaimerOf(world, { nowMs: () => nowMs, queueLimitMs: limitMs });
  const lookAt = async (atMs: number) => {
    nowMs = startMs + atMs;
    await reclaimer.run(
      () => workerNamed('late'),
      () => 0,
    );
    return (await world.response(waiting.messageId)).status;
  };
  return { lookAt };
}

describe('the limit on waiting', () => {
  it('fails waiting messages once the worker has been alive for that long, however long they waited without one', async ({
    world,
  }) => {
    const { lookAt } = await lateWorker(world);
    for (let atMs = 0; atMs < limitMs; atMs += longestGapMs) expect(await lookAt(atMs)).toBe('queued');
    expect(await lookAt(limitMs - 1)).toBe('queued');
    expect(await lookAt(limitMs)).toBe('failed');
  });

  it('counts from the end of a silence of the worker that was longer than a lease', async ({ world }) => {
    const { lookAt } = await lateWorker(world);
    expect(await lookAt(0)).toBe('queued');
    const backMs = longestGapMs + 1;
    for (let atMs = 0; atMs < limitMs; atMs += longestGapMs) expect(await lookAt(backMs + atMs)).toBe('queued');
    expect(await lookAt(backMs + limitMs - 1)).toBe('queued');
    expect(await lookAt(backMs + limitMs)).toBe('failed');
  });
});
