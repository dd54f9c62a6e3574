/**
 * A node that serves, one that works and one that does both, of the built program on one PostgreSQL, with a Redis for the tokens where
 * that is installed. While clients talk, a node of either role is killed, and then Redis and PostgreSQL are. In `stress` two serve and
 * two work, and each of the four is killed, over either feed.
 */
import { describe, expect, it, vi } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { takeoverTimes } from '../chaos/bookkeeping.js';
import { checkRun } from '../chaos/checker.js';
import { startClients } from '../chaos/client.js';
import type { Loss } from '../chaos/faults.js';
import type { Node } from '../chaos/node.js';
import { expectRest } from '../chaos/node-health.js';
import { type ClusterWorld, withCluster } from '../chaos/with-cluster.js';
import { isStress } from '../support/case-counts.js';
import { MachineWatch } from '../support/machine-speed.js';
import { hasRedis, RedisServer, redisNote } from '../support/network/redis.js';

/**
 * What may lie between the signal and the takeover, as the history of the threads has it: the lease, which was renewed at
 * the latest when the worker was killed, one interval between two looks, and the statements of that look.
 */
const replacedWithinMs = 8_000;
const clientCount = isStress ? 8 : 5;
/** With Redis here, `rolling-upgrade` and `chaos` kill nodes over the other feed. */
const feeds = isStress || !hasRedis ? ['PostgreSQL', 'Redis'] : ['Redis'];

describe.each(feeds)('with tokens over %s', (feed) => {
  const isMissing = feed === 'Redis' && !hasRedis;
  it.skipIf(isMissing)(
    `killing a node, Redis or PostgreSQL loses nothing${isMissing ? redisNote : ''}`,
    { timeout: 360_000 },
    async () => {
      const redis = feed === 'Redis' ? await RedisServer.start() : undefined;
      try {
        const environment = { REDIS_URL: redis?.url ?? '' };
        const roles = ['api', 'worker', ...(isStress ? (['api', 'worker'] as const) : (['all'] as const))] as const;
        await withCluster({ roles, environment, slowRate: 0.5 }, (world) => killEach(world, redis));
      } finally {
        await redis?.stop();
      }
    },
  );
});

async function killEach(world: ClusterWorld, redis: RedisServer | undefined): Promise<void> {
  using watch = isStress ? new MachineWatch() : undefined;
  const { cluster, database, token, random } = world;
  const clients = startClients({ token, urls: () => cluster.urls, random }, clientCount);
  const losses = await killNodes(world);
  if (redis) await killRedis(world, redis);
  await cluster.crashDatabase();
  await goesOn(world);
  if (redis) await tokensPass(redis);
  await clients.stop();
  const { broken, figures } = await checkRun({ database, history: clients.history });
  const worstTakeoverMs = (await takeoverTimes(database, losses)).at(-1);
  console.log(JSON.stringify({ ...figures, worstTakeoverMs }));
  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0, answeredOnce: figures.accepted });
  expect(worstTakeoverMs, 'some were taken over').toBeDefined();
  if (watch) expect(worstTakeoverMs, 'none was late').toBeLessThan(watch.slowdown * replacedWithinMs);
  await expectRest(world);
}

async function killNodes({ cluster, database }: ClusterWorld): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const node of isStress ? cluster.nodes : cluster.nodes.slice(0, 2)) {
    await hasMuchToLose(database, node);
    const loss = { pid: pidOf(node), at: new Date() };
    await node.end('SIGKILL');
    losses.push(loss);
    const left = () => runsOf(database, loss.pid);
    // It comes back while the others wait for the end of its leases.
    await Promise.all([
      node.start(),
      vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 60_000, interval: 100 }),
    ]);
  }
  return losses;
}

async function killRedis(world: ClusterWorld, redis: RedisServer): Promise<void> {
  await tokensPass(redis);
  await redis.kill();
  await goesOn(world);
  await redis.start();
  await goesOn(world);
  expect(await world.database.tokenChunk.count(), 'no token went through PostgreSQL').toBe(0);
}

/** Waits until responses run, and where the node works, until it runs some of them. */
async function hasMuchToLose(database: PrismaClient, node: Node): Promise<void> {
  const running = () => database.response.count({ where: { status: 'running' } });
  await vi.waitFor(
    async () => {
      expect(await running()).toBeGreaterThan(clientCount / 2);
      if (node.role === 'worker') expect(await runsOf(database, pidOf(node))).toBeGreaterThan(1);
    },
    { timeout: 60_000 },
  );
}

/** Waits until more than what already ran has ended. */
async function goesOn({ database }: ClusterWorld): Promise<void> {
  const ended = () => database.response.count({ where: { status: 'succeeded' } });
  const before = await vi.waitFor(ended, { timeout: 60_000 });
  await vi.waitFor(async () => expect(await ended()).toBeGreaterThan(before + clientCount), { timeout: 60_000 });
}

async function tokensPass({ client }: RedisServer): Promise<void> {
  const keys = () => client.keys('skein:text:*');
  await vi.waitFor(async () => expect(await keys()).not.toHaveLength(0), { timeout: 60_000 });
}

function pidOf({ process }: Node): number {
  return process?.pid ?? expect.fail('the node is down');
}

/** Responses that the process runs, as the database has it. */
function runsOf(database: PrismaClient, pid: number): Promise<number> {
  return database.response.count({ where: { status: 'running', workerId: { contains: `-${pid}-` } } });
}
