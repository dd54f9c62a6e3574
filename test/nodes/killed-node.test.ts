/**
 * Two nodes serve and two work, of the built program on one PostgreSQL, and are killed while clients talk: one of each role, and in
 * `stress` all four.
 */

import { expect, it, vi } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { checkRun } from '../chaos/checker.js';
import { startClients } from '../chaos/client.js';
import type { Loss } from '../chaos/faults.js';
import type { Node } from '../chaos/node.js';
import { expectRest } from '../chaos/node-health.js';
import { takeoverTimes } from '../chaos/takeovers.js';
import { withCluster } from '../chaos/with-cluster.js';
import { isStress } from '../support/case-counts.js';
import { MachineWatch } from '../support/machine-speed.js';

/**
 * What may lie between the signal and the takeover, as the history of the threads has it: the lease, which was renewed at
 * the latest when the worker was killed, one interval between two looks, and the statements of that look.
 */
const replacedWithinMs = 8_000;

it(`killing ${isStress ? 'any one of four nodes' : 'a node of either role'} loses nothing`, { timeout: 360_000 }, () =>
  withCluster({ roles: ['api', 'worker', 'api', 'worker'], slowRate: 0.5 }, async (world) => {
    using watch = isStress ? new MachineWatch() : undefined;
    const { cluster, database, token, random } = world;
    const clients = startClients({ token, urls: () => cluster.urls, random }, 10);
    const losses: Loss[] = [];
    for (const node of isStress ? cluster.nodes : cluster.nodes.slice(0, 2)) {
      await hasMuchToLose(database, node);
      const loss = await kill(node);
      losses.push(loss);
      const left = () => runsOf(database, loss.pid);
      // It comes back while the others wait for the end of its leases.
      await Promise.all([
        node.start(),
        vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 60_000, interval: 100 }),
      ]);
    }
    await clients.stop();
    const { broken, figures } = await checkRun({ database, history: clients.history });
    const worstTakeoverMs = (await takeoverTimes(database, losses)).at(-1);
    console.log(JSON.stringify({ ...figures, worstTakeoverMs }));
    expect(broken).toEqual([]);
    expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0, answeredOnce: figures.accepted });
    expect(worstTakeoverMs, 'some were taken over').toBeDefined();
    if (watch) expect(worstTakeoverMs, 'none was late').toBeLessThan(watch.slowdown * replacedWithinMs);
    await expectRest(world);
  }),
);

/** Waits until responses run, and where the node works, until it runs some of them. */
async function hasMuchToLose(database: PrismaClient, node: Node): Promise<void> {
  const running = () => database.response.count({ where: { status: 'running' } });
  await vi.waitFor(
    async () => {
      expect(await running()).toBeGreaterThan(5);
      if (node.role === 'worker') expect(await runsOf(database, pidOf(node))).toBeGreaterThan(1);
    },
    { timeout: 60_000 },
  );
}

function pidOf({ process }: Node): number {
  return process?.pid ?? expect.fail('the node is down');
}

async function kill(node: Node): Promise<Loss> {
  const loss = { pid: pidOf(node), at: new Date() };
  await node.end('SIGKILL');
  return loss;
}

/** Responses that the process runs, as the database has it. */
function runsOf(database: PrismaClient, pid: number): Promise<number> {
  return database.response.count({ where: { status: 'running', workerId: { contains: `-${pid}-` } } });
}
