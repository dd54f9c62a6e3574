/**
 * The service under production's worst: nodes killed, frozen beyond their lease and terminated, connections dropped and
 * silenced, the database crashed, a model that fails, all while clients talk. CHAOS_SECONDS says for how long (without
 * it there is no chaos), and CHAOS_SEED repeats the choices of a run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { issueToken } from '../../src/modules/identity/manage-tokens.js';
import { scopes } from '../../src/modules/identity/scopes.js';
import { checkRun } from './checker.js';
import { runClient, type SendRecord } from './client.js';
import { Cluster } from './cluster.js';
import { breakThings, type FaultName } from './faults.js';
import { startChaoticModel } from './model.js';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 0);
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const faults: FaultName[] = ['kill', 'freeze', 'terminate', 'drop connections', 'crash the database', 'silence'];

it.runIf(seconds > 0)(
  `loses nothing in ${seconds} s of faults (seed ${seed})`,
  { timeout: (seconds + 180) * 1000 },
  async () => {
    const random = seeded(seed);
    const model = await startChaoticModel(random);
    const cluster = await Cluster.start({
      nodes: [{ role: 'all' }, { role: 'all' }, { role: 'api' }, { role: 'worker' }],
      modelUrl: model.url,
    });
    const database = createPrismaClient({
      url: cluster.server.url,
      applicationName: 'checker',
      maxConnections: 4,
      logger: pino({ level: 'silent' }),
    });
    try {
      const user = await database.user.findFirstOrThrow();
      const { secret: token } = await issueToken(database, { userId: user.id, name: 'chaos', scopes, expiresAt: null });
      const history: SendRecord[] = [];
      const end = new AbortController();
      const clients = Array.from({ length: 8 }, () =>
        runClient({ token, urls: () => cluster.urls, random, signal: end.signal, history }),
      );
      const breaking = breakThings({ cluster, random, signal: end.signal, pauseMs: 2000, faults });
      await sleep(seconds * 1000);
      end.abort();
      const counts = await breaking;
      await Promise.all(clients);
      await settled(database);
      const { broken, figures } = await checkRun(database, history);
      console.log(JSON.stringify({ seed, seconds, counts, ...figures }));
      expect(broken, `seed ${seed}`).toEqual([]);
      expect(figures.accepted).toBeGreaterThan(seconds / 2);
    } finally {
      await database.$disconnect();
      await cluster.stop();
      await model.close();
    }
  },
);

/** Messages whose sender never learned of them are answered as well. */
async function settled(database: ReturnType<typeof createPrismaClient>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
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
