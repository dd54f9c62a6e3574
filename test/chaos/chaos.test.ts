/**
 * The service under production's worst: nodes killed, frozen beyond their lease and terminated, connections dropped and
 * silenced, the database crashed, a model that fails, all while clients talk, stop and interrupt. CHAOS_SECONDS says for how long (0: not at
 * all), and CHAOS_SEED repeats the choices of a run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { caseCount } from '../support/case-counts.js';
import { checkRun } from './checker.js';
import { startClients } from './client.js';
import { breakThings, type FaultName } from './faults.js';
import { expectRest, loopDelay } from './node-health.js';
import { takeoverTimes } from './takeovers.js';
import { withCluster } from './with-cluster.js';

const seconds = caseCount('CHAOS_SECONDS', { usual: 8, full: 20 });
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const faults: FaultName[] = ['kill', 'freeze', 'terminate', 'drop connections', 'crash the database', 'silence'];

it.runIf(seconds > 0)(
  `loses nothing in ${seconds} s of faults (seed ${seed})`,
  { timeout: (seconds + 300) * 1000 },
  async () => {
    const random = seeded(seed);
    const options = { roles: ['all', 'all', 'api', 'worker'], random, faultRate: 0.05, slowRate: 0.3 } as const;
    await withCluster(options, async (world) => {
      const { cluster, database, token } = world;
      const clients = startClients({ token, urls: () => cluster.urls, random, meddlingRate: 0.2 }, 8);
      const { counts, losses } = await breakThings({
        cluster,
        database,
        random,
        signal: AbortSignal.timeout(seconds * 1000),
        pauseMs: 2000,
        faults,
      });
      const delay = await loopDelay(cluster.nodes);
      await clients.stop();
      await settled(database);
      const { broken, figures } = await checkRun({ database, history: clients.history });
      const times = await takeoverTimes(database, losses);
      const refusedZombies = cluster.nodes.reduce((sum, node) => sum + node.refusedZombies, 0);
      const report = { ...figures, refusedZombies, worstTakeoverMs: times.at(-1) ?? null };
      const loop = {
        worstLoopMs: Math.round(delay.worstMs),
        ownLoopMs: Math.round(delay.ownMs),
        waitedMs: Math.round(delay.waitedMs),
      };
      console.log(JSON.stringify({ seed, seconds, counts, ...report, ...loop }));
      const repairs = cluster.nodes.flatMap(({ name, repairs }) =>
        repairs > 0 ? [`${name} repaired ${repairs}`] : [],
      );
      expect([...broken, ...repairs, ...delay.broken], `seed ${seed}`).toEqual([]);
      expect(figures.accepted).toBeGreaterThan(seconds / 2);
      expect(figures.interrupted, 'stops and interruptions').toBeGreaterThan(0);
      await expectRest(world);
    });
  },
);

/** Messages whose sender never learned of them are answered as well; `checkRun` names those that are not. */
async function settled(database: PrismaClient): Promise<void> {
  const untilMs = performance.now() + 30_000;
  while (performance.now() < untilMs) {
    const live = await database.response.count({ where: { status: { in: ['queued', 'running'] } } }).catch(() => 1);
    if (live === 0) return;
    await sleep(100);
  }
}

/** A small generator of random numbers that a seed repeats (mulberry32). */
function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
