import pg from 'pg';
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { UnavailableError } from '../../../src/errors.js';
import { createId } from '../../../src/ids.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse } from '../../../src/modules/responses/protocol/claimed-response.js';
import { failUnclaimed } from '../../../src/modules/responses/protocol/fail-unclaimed.js';
import { heartbeat, release } from '../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../src/modules/responses/protocol/restart.js';
import { type Settlement, settle } from '../../../src/modules/responses/protocol/settle.js';
import { stopResponse } from '../../../src/modules/responses/stop-response.js';
import { breakPairs } from '../../support/database/impossible-pairs.js';
import { lease, type ProtocolWorld, it as test, workerNamed } from './protocol-world.js';

const it = test.extend('run', ({ world }) => world.running());

const [ann, bob] = [workerNamed('ann'), workerNamed('bob')];
/** The database keeps whole milliseconds. */
const roundingMs = 1;

describe('claim', () => {
  it('makes the thread active and the response running, under a new epoch and with a lease', async ({ world }) => {
    const { threadId, messageId } = await world.ask();
    const before = await world.thread(threadId);
    const begunMs = performance.now();
    const [run, ...others] = await claim(world.database, ann, 5);
    expect(run).toMatchObject({ threadId, messageId, epoch: 1, attempt: 1, isStopRequested: false });
    expect(others).toEqual([]);
    const fromMs = (run?.deadlineMs ?? 0) - lease.deadlineMs;
    expect(fromMs).toBeGreaterThanOrEqual(begunMs - roundingMs);
    expect(fromMs).toBeLessThanOrEqual(performance.now() + roundingMs);
    const after = await world.thread(threadId);
    expect(after).toEqual({ state: 'active', epoch: 1, queuedAt: null, updatedAt: before.updatedAt });
    const response = await world.response(messageId);
    expect(response).toMatchObject({ status: 'running', attempt: 1, epoch: 1, workerId: 'ann' });
  });

  it('takes those that wait longest first, and no more than asked for', async ({ world }) => {
    const asked = [await world.ask(), await world.ask(), await world.ask()];
    for (const [index, sent] of asked.entries()) await world.queuedSince(sent, 1000 + index * 1000);
    const first = await claim(world.database, ann, 1);
    const second = await claim(world.database, ann, 1);
    const third = await claim(world.database, ann, 1);
    const taken = [...first, ...second, ...third].map(({ threadId }) => threadId);
    expect(taken).toEqual(asked.toReversed().map(({ threadId }) => threadId));
    expect(await claim(world.database, ann, 1)).toEqual([]);
  });

  it('passes over a thread that somebody has locked, instead of waiting', async ({ world }) => {
    const [locked, free] = [await world.ask(), await world.ask()];
    await world.queuedSince(locked, 60_000);
    const client = new pg.Client({ connectionString: world.storage.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM thread WHERE id = $1 FOR UPDATE', [locked.threadId]);
    expect((await claim(world.database, ann, 1)).map(({ threadId }) => threadId)).toEqual([free.threadId]);
    await client.end();
    expect((await claim(world.database, ann, 1)).map(({ threadId }) => threadId)).toEqual([locked.threadId]);
  });
});

it('heartbeat renews the named runs alone, and returns those that are still the worker’s', async ({ world }) => {
  const [named, unnamed, ended, taken] = [
    await world.running(),
    await world.running(),
    await world.running(),
    await world.running(),
  ];
  await world.end(ended);
  await world.expireLease(taken);
  await reclaim(world.database, bob, 1);
  await world.expireLease(named, -1000);
  const before = await world.response(unnamed.messageId);
  const begunMs = Date.now();
  const kept = await heartbeat(world.database, ann, [named, ended, taken, { ...unnamed, epoch: 2 }]);
  expect(kept.map(({ messageId }) => messageId)).toEqual([named.messageId]);
  const { leaseUntil } = await world.response(named.messageId);
  const fromMs = (leaseUntil?.getTime() ?? 0) - lease.leaseMs;
  expect(fromMs).toBeGreaterThanOrEqual(begunMs);
  expect(fromMs).toBeLessThanOrEqual(Date.now() + roundingMs);
  expect(await world.response(unnamed.messageId)).toEqual(before);
  expect(await heartbeat(world.database, bob, [named])).toEqual([]);
});

/** The clocks of the process and of the database are compared anew each time. */
const measured = { acceptedMs: expect.any(Number), deadlineMs: expect.any(Number) };

describe('restart', () => {
  it('continues under a new epoch as another attempt of the same worker', async ({ world, run }) => {
    const next = await restart(world.database, ann, run);
    expect(next).toMatchObject({ ...run, ...measured, epoch: 2, attempt: 2, callsBefore: 1 });
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'active', epoch: 2 });
    const response = await world.response(run.messageId);
    expect(response).toMatchObject({ status: 'running', epoch: 2, attempt: 2, workerId: 'ann' });
    expect(await world.end(run)).toBe(false);
  });

  it('is refused when the attempts or the time are used up, or the run is lost', async ({ world }) => {
    let run = await world.running();
    for (let attempt = 2; attempt <= lease.maxAttempts; attempt += 1) {
      run = (await restart(world.database, ann, run)) ?? expect.fail(`attempt ${attempt} was refused`);
    }
    expect(await restart(world.database, ann, run)).toBeNull();
    const late = await world.running();
    expect(await restart(world.database, ann, { ...late, deadlineMs: performance.now() - 1 })).toBeNull();
    const lost = await world.running();
    await world.expireLease(lost);
    await reclaim(world.database, bob, 1);
    expect(await restart(world.database, ann, lost)).toBeNull();
    expect(await world.thread(lost.threadId)).toMatchObject({ state: 'active', epoch: 2 });
  });
});

it('a request to stop is reported with the lease, and forbids another attempt', async ({ world, run }) => {
  await world.requestStop(run);
  expect(await heartbeat(world.database, ann, [run])).toMatchObject([{ ...run, ...measured, isStopRequested: true }]);
  expect(await restart(world.database, ann, run)).toBeNull();
  expect(await world.thread(run.threadId)).toMatchObject({ state: 'active', epoch: 1 });
});

it('release lets another worker take the named runs at once, and no others', async ({ world }) => {
  const [released, kept] = [await world.running(), await world.running()];
  await release(world.database, [released, { ...kept, epoch: 7 }]);
  const taken = await reclaim(world.database, bob, 5);
  expect(taken).toMatchObject([{ messageId: released.messageId, epoch: 2, attempt: 2 }]);
});

describe('failUnclaimed', () => {
  it('fails messages that waited longer than the limit, with a reason, and no others', async ({ world, changes }) => {
    const [stale, fresh] = [await world.ask(), await world.ask()];
    await world.queuedSince(stale, 61_000);
    await changes.take();
    const failed = await failUnclaimed(world.database, ann, { limitMs: 60_000 });
    expect(failed).toEqual([stale]);
    expect(await world.thread(stale.threadId)).toMatchObject({ state: 'error', epoch: 1, queuedAt: null });
    expect(await world.response(stale.messageId)).toMatchObject({
      status: 'failed',
      errorCode: 'queue_timeout',
      epoch: 1,
    });
    expect(await changes.take()).toEqual([stale.messageId]);
    expect(await world.thread(fresh.threadId)).toMatchObject({ state: 'waiting', epoch: 0 });
    expect(await claim(world.database, ann, 5)).toMatchObject([{ messageId: fresh.messageId }]);
  });
});

function settlementOf(run: ClaimedResponse): Settlement {
  const contents = [{ type: 'text' as const, text: 'Hello' }];
  const usage = { model: 'm', inputTokens: 3, outputTokens: 4 };
  return { run, outcome: { status: 'succeeded' }, answer: { id: createId('msg'), contents }, usage };
}

async function isStored({ database }: ProtocolWorld, settlement: Settlement): Promise<boolean> {
  return (await settle(database, settlement)).isStored;
}

const failed = { status: 'failed', errorCode: 'model_failed', errorMessage: 'It broke.' } as const;

describe('settle', () => {
  it('stores the answer and makes the thread ready, together', async ({ world, run }) => {
    expect(await isStored(world, settlementOf(run))).toBe(true);
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'ready', epoch: 1, queuedAt: null });
    const response = await world.database.response.findUnique({ where: { messageId: run.messageId } });
    expect(response).toMatchObject({
      status: 'succeeded',
      leaseUntil: null,
      model: 'm',
      inputTokens: 3,
      outputTokens: 4,
    });
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('fails with a reason, and keeps the text if there is any', async ({ world }) => {
    const [silent, cut] = [await world.running(), await world.running()];
    const settlements = [
      { ...settlementOf(silent), outcome: failed, answer: null },
      { ...settlementOf(cut), outcome: failed },
    ];
    for (const settlement of settlements) {
      expect([await isStored(world, settlement), await isStored(world, settlement)]).toEqual([true, true]);
      expect(await world.thread(settlement.run.threadId)).toMatchObject({ state: 'error' });
      const response = await world.response(settlement.run.messageId);
      expect(response).toMatchObject({ status: 'failed', errorCode: 'model_failed', leaseUntil: null });
    }
    expect(await world.messages(silent.threadId)).toEqual(['user: Hi']);
    expect(await world.messages(cut.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('is refused under an epoch that is no longer the thread’s, also after its end', async ({ world }) => {
    const lost = await world.running();
    await world.expireLease(lost);
    const [taken] = await reclaim(world.database, bob, 1);
    expect(await isStored(world, settlementOf(lost))).toBe(false);
    expect(await isStored(world, { ...settlementOf(lost), outcome: failed })).toBe(false);
    expect(await world.messages(lost.threadId)).toEqual(['user: Hi']);
    expect(await world.end(taken ?? expect.fail('nothing was reclaimed'))).toBe(true);
    expect(await isStored(world, settlementOf(lost))).toBe(false);
    expect(await world.messages(lost.threadId)).toEqual(['user: Hi', 'assistant: epoch 2']);
  });

  it('stores the text of a response with a stop request, with the reason', async ({ world, run }) => {
    await world.requestStop(run);
    const settlement = { ...settlementOf(run), outcome: { status: 'interrupted' } as const };
    expect([await isStored(world, settlement), await isStored(world, settlement)]).toEqual([true, true]);
    const thread = await world.database.thread.findUnique({ where: { id: run.threadId } });
    expect(thread).toMatchObject({ state: 'interrupted', interruptReason: 'Ada stopped it.' });
    expect(await world.response(run.messageId)).toMatchObject({
      status: 'interrupted',
      errorCode: 'response_interrupted',
    });
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('is rejected if another outcome is stored under the same epoch', async ({ world, run }) => {
    await world.requestStop(run);
    const answer = null;
    await isStored(world, { ...settlementOf(run), outcome: { status: 'interrupted' }, answer });
    expect(await isStored(world, settlementOf(run))).toBe(false);
    expect(await world.messages(run.threadId)).toEqual(['user: Hi']);
  });

  it('stores times that agree with the order of the messages, even if the clock goes back', async ({ world, run }) => {
    const future = new Date(Date.now() + 3_600_000);
    await world.database.thread.update({ where: { id: run.threadId }, data: { updatedAt: future } });
    await isStored(world, settlementOf(run));
    await world.askAgain(run.threadId);
    const { threadId } = run;
    const messages = await world.database.message.findMany({ where: { threadId }, orderBy: { sequence: 'asc' } });
    const times = messages.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.slice(1)).toEqual([future.getTime(), future.getTime()]);
    expect((await world.thread(threadId)).updatedAt).toEqual(future);
  });
});

/** The database, telling of each statement before it runs. */
function telling(world: ProtocolWorld, onStatement: () => void): PrismaClient {
  return world.database.$extends({
    query: {
      $allOperations({ args, query }) {
        onStatement();
        return query(args);
      },
    },
  }) as unknown as PrismaClient;
}

const stopOf = (world: ProtocolWorld, messageId: string) => ({
  viewer: world.viewer,
  messageId,
  reason: 'Ada stopped it.',
});

describe('stopResponse', () => {
  it('ends when its caller leaves, and keeps the stop request in the row', async ({ world }) => {
    const { messageId } = await world.ask();
    await claim(world.database, workerNamed('silent'), 1);
    const caller = new AbortController();
    let statements = 0;
    const database = telling(world, () => {
      statements += 1;
      if (statements === 4) caller.abort();
    });
    const stop = stopResponse(database, { ...stopOf(world, messageId), limitMs: 3_600_000, signal: caller.signal });
    await expect(stop).rejects.toThrow(UnavailableError);
    expect(statements, 'none follows').toBe(4);
    const response = await world.database.response.findUniqueOrThrow({ where: { messageId } });
    expect(response).toMatchObject({ status: 'running', stopReason: 'Ada stopped it.' });
  });

  it('gives up after a few statements if contradictory rows keep the response from ending', async ({ world }) => {
    const { threadId, messageId } = await world.ask();
    await breakPairs(
      world.storage.url,
      `UPDATE thread SET state = 'active', queued_at = NULL WHERE id = '${threadId}'`,
    );
    let statements = 0;
    const database = telling(world, () => {
      statements += 1;
    });
    const { signal } = new AbortController();
    const stop = stopResponse(database, { ...stopOf(world, messageId), limitMs: 0, signal });
    await expect(stop).rejects.toThrow(UnavailableError);
    expect(statements, 'one asks, three force, and four look').toBeLessThanOrEqual(8);
  });
});
