/**
 * The service under production's worst: nodes killed, frozen beyond their lease and terminated, connections dropped and silenced,
 * the database crashed, a model that fails, all while clients talk, stop, interrupt, edit and go back, and two others keep a copy of
 * the list. CHAOS_SECONDS says for how long (0: not at all), and TEST_SEED repeats the choices of a run. Whether the event loops are
 * free is looked at in `stress`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { caseCount, isStress, seed } from '../support/case-counts.js';
import { slowResponses, takeoverTimes } from './bookkeeping.js';
import { checkRun } from './checker.js';
import { type SendRecord, startClients } from './client.js';
import { breakThings, type FaultName } from './faults.js';
import { keepCopies } from './list-copies.js';
import { expectRest, loopDelay } from './node-health.js';
import { withCluster } from './with-cluster.js';

const seconds = caseCount('CHAOS_SECONDS', { usual: 8, full: 20 });
const enoughAccepted = seconds / 2;
const clientCount = isStress ? 8 : 5;
const faults: FaultName[] = ['kill', 'freeze', 'terminate', 'drop connections', 'crash the database', 'silence'];

it.runIf(seconds > 0)(
  `loses nothing in ${seconds} s of faults (seed ${seed})`,
  { timeout: (seconds + 300) * 1000 },
  async () => {
    const roles = ['all', 'api', 'worker', ...(isStress ? (['all'] as const) : [])] as const;
    const options = { roles, faultRate: 0.05, slowRate: 0.3 };
    await withCluster(options, async (world) => {
      const { cluster, database, token, random } = world;
      const asking = { token, urls: () => cluster.urls, random };
      const copies = keepCopies(asking, database);
      const clients = startClients({ ...asking, meddlingRate: 0.2, rewritingRate: 0.4 }, clientCount);
      const { counts, losses } = await breakThings({
        cluster,
        database,
        random,
        signal: AbortSignal.timeout(seconds * 1000),
        pauseMs: 2000,
        faults,
      });
      const delay = isStress ? await loopDelay(cluster.nodes) : undefined;
      // On a busy machine clients get less done in the time of the faults.
      if (!isStress) await vi.waitFor(() => muchHappened(database, clients.history), { timeout: 90_000 });
      await clients.stop();
      await settled(database);
      const missing = await copies.stop();
      const { broken, figures } = await checkRun({ database, history: clients.history });
      const times = await takeoverTimes(database, losses);
      const refusedZombies = cluster.nodes.reduce((sum, node) => sum + node.refusedZombies, 0);
      const report = { ...figures, refusedZombies, worstTakeoverMs: times.at(-1) ?? null };
      const loop = delay && {
        worstLoopMs: Math.round(delay.worstMs),
        ownLoopMs: Math.round(delay.ownMs),
        waitedMs: Math.round(delay.waitedMs),
      };
      console.log(JSON.stringify({ seed, seconds, counts, ...report, ...loop }));
      for (const line of await slowResponses(database, 45)) console.log(line);
      const repairs = cluster.nodes.flatMap(({ name, repairs }) =>
        repairs > 0 ? [`${name} repaired ${repairs}`] : [],
      );
      expect([...broken, ...missing, ...repairs, ...(delay?.broken ?? [])], `seed ${seed}`).toEqual([]);
      expect(figures.accepted).toBeGreaterThan(enoughAccepted);
      expect(figures.interrupted, 'stops and interruptions').toBeGreaterThan(0);
      await expectRest(world);
    });
  },
);

async function muchHappened(database: PrismaClient, history: readonly SendRecord[]): Promise<void> {
  expect(history.filter(({ outcome }) => outcome === 'accepted').length).toBeGreaterThan(enoughAccepted);
  expect(await database.response.count({ where: { status: 'interrupted' } })).toBeGreaterThan(0);
}

/** Messages whose sender never learned of them are answered as well; `checkRun` names those that are not. */
async function settled(database: PrismaClient): Promise<void> {
  const untilMs = performance.now() + 60_000;
  while (performance.now() < untilMs) {
    const live = await database.response.count({ where: { status: { in: ['queued', 'running'] } } }).catch(() => 1);
    if (live === 0) return;
    await sleep(100);
  }
}
