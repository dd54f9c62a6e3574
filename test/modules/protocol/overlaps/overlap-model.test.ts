/**
 * Two to four actors whose transactions overlap in every possible way: each statement runs in its turn, waits for locks, and is
 * committed or rolled back while others wait. This detects a statement that relies on a snapshot older than its locks, which
 * the model of one step at a time (`../interleavings`) cannot.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claim } from '../../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { release } from '../../../../src/modules/responses/protocol/lease.js';
import { forceStop, requestStop } from '../../../../src/modules/responses/protocol/stop.js';
import { atMostOneLiveResponse, epochsGrow, everyPathIsLegal } from '../../../chaos/checker.js';
import { modelLimitMs, overlapRuns } from '../../model-runs.js';
import { workerNamed } from '../protocol-world.js';
import { type Beginning, type Case, cases, OverlapLedger, type Stage } from './acts.js';
import { Lane, openedLanes } from './lane.js';
import { holdUpSql, OverlapPlay } from './play.js';

const laneStage = openedLanes(holdUpSql);
const world = () => laneStage().world;
const monitor = () => laneStage().monitor;

/** Threads that begin as they are told, in this order of waiting. */
async function setStage(beginnings: readonly Beginning[]): Promise<Stage> {
  await world().removeThreads();
  const threadIds: string[] = [];
  const worker = workerNamed('ann');
  const runs: ClaimedResponse[] = [];
  for (const beginning of beginnings.toSorted((a, b) => Number(a === 'waiting') - Number(b === 'waiting'))) {
    const { threadId, messageId } = await world().ask();
    threadIds.push(threadId);
    if (beginning === 'waiting') continue;
    if (beginning === 'interrupted') {
      await requestStop(world().database, { viewer: world().viewer, messageId, reason: 'Ada stopped it.' });
      continue;
    }
    const [run = expect.fail('nothing was claimed')] = await claim(world().database, worker, 1);
    runs.push(run);
    if (beginning === 'ready') await world().end(run);
    if (beginning === 'lost') await release(world().database, [run]);
  }
  const ledger = new OverlapLedger(monitor());
  await ledger.read();
  return { world: world(), ledger, threadIds, runs: runs.map((run) => ({ run, worker })) };
}

/** Whatever is left can be claimed or stopped, and then every response has come a legal way. */
async function clearStage({ ledger }: Stage): Promise<void> {
  const queued = ledger.responses.filter(({ status }) => status === 'queued');
  expect(await claim(world().database, workerNamed('eve'), 10), 'whatever waits is claimed').toHaveLength(
    queued.length,
  );
  for (const { messageId, status } of ledger.responses.filter(
    (row) => row.status === 'queued' || row.status === 'running',
  )) {
    const stop = { viewer: world().viewer, messageId, reason: 'The case is over.' };
    expect(await forceStop(world().database, stop), `a response that was ${status} can be ended`).toBe(true);
  }
  await ledger.read();
  const run = { database: world().database, history: [] };
  const checks = [everyPathIsLegal(run), epochsGrow(run), atMostOneLiveResponse(run)];
  expect((await Promise.all(checks)).flat()).toEqual([]);
}

async function play(one: Case): Promise<void> {
  const stage = await setStage(one.threads);
  // The first of those that wait, or of all.
  const held = stage.threadIds[one.threads.filter((beginning) => beginning !== 'waiting').length] ?? stage.threadIds[0];
  if (one.holdsUp && held) await world().database.thread.update({ where: { id: held }, data: { name: 'held' } });
  const scene = new OverlapPlay(one, stage, laneStage());
  try {
    await scene.run();
    await clearStage(stage);
  } catch (error) {
    throw new Error(`${scene.moves.join('\n')}\n${error instanceof Error ? error.message : ''}`, { cause: error });
  } finally {
    await monitor().query('SELECT pg_advisory_unlock_all()');
    await Lane.endAll(laneStage().lanes, 'rollback');
  }
}

it(
  'the protocol, any overlap of the transactions of two to four actors keeps threads and responses in step, loses no stop, and never fails a statement',
  async () => {
    await fc.assert(fc.asyncProperty(cases, play), { numRuns: overlapRuns });
  },
  modelLimitMs,
);
