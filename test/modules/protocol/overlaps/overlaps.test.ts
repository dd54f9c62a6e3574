/**
 * Two and three statements of the protocol whose transactions overlap, each pair in the order in which it once broke a
 * thread. A statement waits for a lock, or is held up between two threads, while others commit; what it does then must
 * follow from the rows as they are by then.
 */
import { describe, expect, it } from 'vitest';
import { claim } from '../../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { failUnclaimed } from '../../../../src/modules/responses/protocol/fail-unclaimed.js';
import { heartbeat } from '../../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../../src/modules/responses/protocol/restart.js';
import { forceStop, requestStop } from '../../../../src/modules/responses/protocol/stop.js';
import { workerNamed } from '../protocol-world.js';
import { type Act, openedLanes, overlap } from './lane.js';
import { holdUpSql } from './play.js';

const [ann, bob] = [workerNamed('ann'), workerNamed('bob')];
const anyRest = ['ready', 'interrupted'] as const;

const stage = openedLanes(holdUpSql);
const world = () => stage().world;
const lanes = () => stage().lanes;
const monitor = () => stage().monitor;

const stopOf = (messageId: string) => ({ viewer: world().viewer, messageId, reason: 'Ada stopped it.' });
const stops =
  (messageId: string): Act =>
  (database) =>
    requestStop(database, stopOf(messageId));

/** Runs a statement that is held up when it comes to the thread `first`; meanwhile everything in `body` is committed. */
async function heldUpAt(
  { threadId: first }: { threadId: string },
  act: Act,
  body: () => Promise<unknown>,
): Promise<unknown> {
  await world().database.thread.update({ where: { id: first }, data: { name: 'held' } });
  await monitor().query('SELECT pg_advisory_lock(1)');
  await lanes()[0].start(act);
  expect(await lanes()[0].atRest(), 'the statement is held up').toBe(true);
  await body();
  await monitor().query('SELECT pg_advisory_unlock(1)');
  await lanes()[0].atRest();
  await lanes()[0].commit();
  return lanes()[0].value;
}

/** State, status and epochs of a thread with its live response. */
async function pairOf(threadId: string) {
  const { state, epoch } = await world().thread(threadId);
  const where = { threadId, status: { in: ['queued', 'running'] as ('queued' | 'running')[] } };
  const live = await world().database.response.findMany({
    where,
    select: { messageId: true, status: true, epoch: true },
  });
  return { state, epoch, live: live.map((row) => ({ ...row, epoch: Number(row.epoch) })) };
}

/** Two runs in the order in which a statement over the active threads meets them: that of ids, random within a millisecond. */
async function runningInOrder(): Promise<[ClaimedResponse, ClaimedResponse]> {
  const [one, other] = [await world().running(), await world().running()];
  return one.threadId < other.threadId ? [one, other] : [other, one];
}

async function resend(threadId: string, messageId: string) {
  await requestStop(world().database, stopOf(messageId));
  return world().askAgain(threadId, { from: [...anyRest] });
}

describe('a stop that waits', () => {
  it('does not touch a message sent after the one that it names', async () => {
    const { threadId, messageId } = await world().ask();
    const resends: Act = async (database) => {
      await requestStop(database, stopOf(messageId));
      await world().askAgain(threadId, { from: [...anyRest], database });
    };
    await overlap(lanes(), resends, stops(messageId), stops(messageId));
    const live = [{ messageId: expect.not.stringMatching(messageId), status: 'queued', epoch: 0 }];
    expect(await pairOf(threadId)).toEqual({ state: 'waiting', epoch: 1, live });
    expect(await claim(world().database, ann, 5)).toHaveLength(1);
  });

  it('for a claim that commits marks the claimed run', async () => {
    const { messageId } = await world().ask();
    await overlap(lanes(), (database) => claim(database, ann, 1), stops(messageId));
    const response = await world().database.response.findUniqueOrThrow({ where: { messageId } });
    expect(response).toMatchObject({ status: 'running', stopReason: 'Ada stopped it.' });
  });

  it('for a claim that is rolled back ends the response at once', async () => {
    const { threadId, messageId } = await world().ask();
    await lanes()[0].start((database) => claim(database, ann, 1));
    await lanes()[1].start(stops(messageId));
    await lanes()[0].rollback();
    await lanes()[1].atRest();
    await lanes()[1].commit();
    expect(await pairOf(threadId)).toEqual({ state: 'interrupted', epoch: 1, live: [] });
  });

  it('for another attempt to begin ends that attempt, if it is forced', async () => {
    const run = await world().running();
    await overlap(
      lanes(),
      (database) => restart(database, ann, run),
      (database) => forceStop(database, stopOf(run.messageId)),
    );
    expect(await pairOf(run.threadId)).toEqual({ state: 'interrupted', epoch: 3, live: [] });
  });
});

describe('a worker whose statement waits for a stop', () => {
  it('begins no new attempt', async () => {
    const run = await world().running();
    const [, came] = await overlap(lanes(), stops(run.messageId), (database) => restart(database, ann, run));
    expect(came).toBeNull();
    expect(await pairOf(run.threadId)).toMatchObject({ state: 'active', epoch: 1 });
  });

  it('stores a failure as the requested interruption, with its reason', async () => {
    const run = await world().running();
    const failed = { status: 'failed', errorCode: 'model_failed', errorMessage: 'It broke.' } as const;
    const [, came] = await overlap(lanes(), stops(run.messageId), (database) => world().end(run, failed, database));
    expect(came).toBe(true);
    expect(await world().response(run.messageId)).toMatchObject({
      status: 'interrupted',
      errorCode: 'response_interrupted',
    });
    const thread = await world().database.thread.findUniqueOrThrow({ where: { id: run.threadId } });
    expect(thread).toMatchObject({ state: 'interrupted', interruptReason: 'Ada stopped it.' });
    expect(await world().end(run, failed), 'a repetition is stored already').toBe(true);
  });

  it('stores nothing after a forced stop, and reports it', async () => {
    const run = await world().running();
    const interrupted = { status: 'interrupted' } as const;
    await requestStop(world().database, stopOf(run.messageId));
    await overlap(
      lanes(),
      (database) => forceStop(database, stopOf(run.messageId)),
      (database) => world().end(run, interrupted, database),
    );
    expect(lanes()[1].value).toBe(false);
    expect(await world().messages(run.threadId)).toEqual(['user: Hi']);
  });
});

describe('a statement over many threads that was held up at the first', () => {
  it('claims no thread whose message was replaced by a newer one', async () => {
    const [first, second] = [await world().ask(), await world().ask()];
    await world().queuedSince(first, 120_000);
    await world().queuedSince(second, 60_000);
    let newer: { messageId: string } | undefined;
    const claimed = await heldUpAt(
      first,
      (database) => claim(database, ann, 2),
      async () => {
        newer = await resend(second.threadId, second.messageId);
      },
    );
    expect(claimed).toMatchObject([{ messageId: first.messageId }]);
    const live = [{ messageId: newer?.messageId, status: 'queued', epoch: 0 }];
    expect(await pairOf(second.threadId)).toEqual({ state: 'waiting', epoch: 1, live });
    expect(await claim(world().database, bob, 2)).toMatchObject([{ messageId: newer?.messageId, epoch: 2 }]);
  });

  it('fails no message that was sent in place of the one that waited too long', async () => {
    const [first, second] = [await world().ask(), await world().ask()];
    await world().queuedSince(first, 180_000);
    await world().queuedSince(second, 120_000);
    await heldUpAt(
      first,
      (database) => failUnclaimed(database, bob, { limitMs: 60_000 }),
      async () => {
        await resend(second.threadId, second.messageId);
        await world().queuedSince(second, 120_000);
      },
    );
    expect(await pairOf(first.threadId)).toMatchObject({ state: 'error', live: [] });
    expect(await pairOf(second.threadId)).toMatchObject({ state: 'waiting', live: [{ status: 'queued' }] });
  });

  it('does not reclaim a run whose lease was renewed', async () => {
    const [first, second] = await runningInOrder();
    for (const run of [first, second]) await world().expireLease(run, run === first ? 120_000 : 60_000);
    const taken = await heldUpAt(
      first,
      (database) => reclaim(database, bob, 2),
      () => heartbeat(world().database, ann, [second]),
    );
    expect(taken).toMatchObject([{ messageId: first.messageId, epoch: 2 }]);
    expect(await world().response(second.messageId)).toMatchObject({ workerId: 'ann', epoch: 1 });
  });

  it('does not reclaim a run before its lease expires if it was renewed meanwhile', async () => {
    const [first, second] = await runningInOrder();
    for (const run of [first, second]) await world().expireLease(run, run === first ? 0 : -1_000);
    const taken = await heldUpAt(
      first,
      (database) => reclaim(database, bob, 2, 2_000),
      () => heartbeat(world().database, ann, [second]),
    );
    expect(taken).toMatchObject([{ messageId: first.messageId, epoch: 2 }]);
    expect(await world().response(second.messageId)).toMatchObject({ workerId: 'ann', epoch: 1 });
    // Whoever lost it learns so with its next renewal, and writes nothing.
    expect(await heartbeat(world().database, ann, [first])).toEqual([]);
    expect(await world().end(first)).toBe(false);
  });
});
