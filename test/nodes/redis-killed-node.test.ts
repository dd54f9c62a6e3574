/**
 * Two nodes serve and two work, of the built program on one PostgreSQL and one Redis; a node of each role, and in `stress` each of the
 * four, is killed once, and so are Redis and PostgreSQL.
 */
import { expect, it, vi } from 'vitest';
import { checkRun } from '../chaos/checker.js';
import { startClients } from '../chaos/client.js';
import { expectRest } from '../chaos/node-health.js';
import { type ClusterWorld, withCluster } from '../chaos/with-cluster.js';
import { isStress } from '../support/case-counts.js';
import { hasRedis, RedisServer, redisNote } from '../support/network/redis.js';

const clientCount = 8;

it.skipIf(!hasRedis)(
  `killing ${isStress ? 'any one of four nodes' : 'a node of either role'}, Redis or PostgreSQL loses nothing${redisNote}`,
  { timeout: 360_000 },
  async () => {
    const redis = await RedisServer.start();
    const roles = ['api', 'worker', 'api', 'worker'] as const;
    try {
      await withCluster({ roles, environment: { REDIS_URL: redis.url }, slowRate: 0.2 }, (world) =>
        killEach(world, redis),
      );
    } finally {
      await redis.stop();
    }
  },
);

async function killEach(world: ClusterWorld, redis: RedisServer): Promise<void> {
  const { cluster, database, token, random } = world;
  const clients = startClients({ token, urls: () => cluster.urls, random }, clientCount);
  for (const node of isStress ? cluster.nodes : cluster.nodes.slice(0, 2)) {
    await isBusy(world);
    await node.end('SIGKILL');
    await node.start();
  }
  await isBusy(world);
  const keys = () => redis.client.keys('skein:text:*');
  const tokensPass = () => vi.waitFor(async () => expect(await keys()).not.toHaveLength(0), { timeout: 60_000 });
  await tokensPass();
  await redis.kill();
  await goesOn(world);
  await redis.start();
  await goesOn(world);
  expect(await database.tokenChunk.count(), 'no token went through PostgreSQL').toBe(0);
  await cluster.crashDatabase();
  await goesOn(world);
  await tokensPass();
  await clients.stop();
  const { broken, figures } = await checkRun({ database, history: clients.history });
  console.log(JSON.stringify(figures));
  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0 });
  await expectRest(world);
}

/** Waits until there is something to lose. */
async function isBusy({ database }: ClusterWorld): Promise<void> {
  const running = () => database.response.count({ where: { status: 'running' } });
  await vi.waitFor(async () => expect(await running()).toBeGreaterThan(5), { timeout: 60_000 });
}

/** Waits until more than what already ran has ended. */
async function goesOn({ database }: ClusterWorld): Promise<void> {
  const ended = () => database.response.count({ where: { status: 'succeeded' } });
  const before = await vi.waitFor(ended, { timeout: 60_000 });
  await vi.waitFor(async () => expect(await ended()).toBeGreaterThan(before + clientCount), { timeout: 60_000 });
}
