/**
 * Two nodes of the release before this one are replaced in turn by nodes of this release while clients talk, and are killed in
 * between, so that each takes over what the other left. Then a newer version migrates the database, and this one goes on there: it is
 * restarted as an operator does it, behind clients that go round the nodes and retry only what they may.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { prismaFolder } from '../../src/database/migrations/folder.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { checkRun, type Figures } from '../chaos/checker.js';
import { type SendRecord, startClients } from '../chaos/client.js';
import type { Node } from '../chaos/node.js';
import { expectRest } from '../chaos/node-health.js';
import { type ClusterWorld, withCluster } from '../chaos/with-cluster.js';
import { isStress } from '../support/case-counts.js';
import { logger } from '../support/silent-logger.js';
import { hasPreviousRelease, previousProgram } from './previous-release.js';

const hasHistory = await hasPreviousRelease();
const note = hasHistory ? '' : ' (without the release before: the history of the repository is not here)';
const roles = ['all', 'all'] as const;
/** How many responses come between two steps. */
const few = isStress ? 10 : 2;
const clientCount = isStress ? 6 : 4;
/** Each node that stops waits for those that it runs. */
const slowRate = isStress ? 0.4 : 0.15;

it(`a rolling upgrade loses nothing, either release takes over from the other, and a rolling restart on what a newer version has migrated fails no request${note}`, {
  timeout: 600_000,
}, async () => {
  const program = hasHistory ? await previousProgram() : undefined;
  await withCluster({ roles, program, slowRate }, async (world) => {
    if (hasHistory) await upgradeBothNodes(world);
    await restartOnNewerDatabase(world);
  });
});

async function upgradeBothNodes(world: ClusterWorld): Promise<void> {
  const { cluster, database, token, random } = world;
  const [first, second] = nodesOf(world);
  // The release before tells whoever begins to follow a response just when it stops that something unexpected happened.
  const asking = { token, urls: () => cluster.urls, random, meddlingRate: 0.2, forgivesErrors: true };
  const clients = startClients(asking, clientCount);
  await untilMore(database, few);
  await first.end('SIGTERM');
  await startWith(first, 'dist/program');
  await untilMore(database, 2 * few);
  await killAndReplace(database, first);
  await killAndReplace(database, second);
  await untilMore(database, few);
  await second.end('SIGTERM');
  await startWith(second, 'dist/program');
  await untilMore(database, few);
  await clients.stop();
  await expectNothingLost(world, clients.history);
}

async function restartOnNewerDatabase(world: ClusterWorld): Promise<void> {
  const { cluster, database, token, random } = world;
  const { figures: before } = await checkRun({ database, history: [] });
  const clients = startClients({ token, urls: () => cluster.urls, random }, clientCount);
  await untilMore(database, few);
  await migrate({ url: cluster.server.url, logger, folder: await newerFolder() });
  await untilMore(database, few);
  for (const node of cluster.nodes) {
    await node.end('SIGTERM');
    await node.start();
  }
  await untilMore(database, few);
  await clients.stop();
  const { accepted, answeredOnce, ...after } = await expectNothingLost(world, clients.history);
  const { takeovers, restarts, interrupted } = before;
  expect(after, 'nothing had to be taken over').toMatchObject({ takeovers, restarts, interrupted });
  expect(answeredOnce - before.answeredOnce).toBe(accepted);
}

function nodesOf({ cluster }: ClusterWorld): [Node, Node] {
  const [first, second] = cluster.nodes;
  if (!first || !second) throw new Error('Not every node started.');
  return [first, second];
}

async function startWith(node: Node, program: string): Promise<void> {
  node.program = program;
  await node.start();
}

/** Waits until this many more messages were answered. */
async function untilMore(database: PrismaClient, count: number): Promise<void> {
  const answered = () => database.response.count({ where: { status: 'succeeded' } });
  const before = await answered();
  await vi.waitFor(async () => expect(await answered()).toBeGreaterThanOrEqual(before + count), {
    timeout: 90_000,
    interval: 100,
  });
}

/** Kills the node in the middle of responses, and starts it again when another one has taken them over. */
async function killAndReplace(database: PrismaClient, node: Node): Promise<void> {
  const workerId = { contains: `-${node.process?.pid ?? expect.fail('the node is down')}-` };
  const left = () => database.response.count({ where: { status: 'running', workerId } });
  await vi.waitFor(async () => expect(await left()).toBeGreaterThan(0), { timeout: 30_000 });
  await node.end('SIGKILL');
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 60_000, interval: 100 });
  // The release before refuses to start on the newer database, so it stays down.
  if (node.program === 'dist/program') await node.start();
}

async function expectNothingLost(world: ClusterWorld, history: readonly SendRecord[]): Promise<Figures> {
  const { broken, figures } = await checkRun({ database: world.database, history });
  expect(broken).toEqual([]);
  expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0 });
  expect(figures.accepted).toBeGreaterThan(0);
  await expectRest(world);
  return figures;
}

/** This release's migrations, and one more, as a newer one would add it. */
async function newerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-newer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(prismaFolder(), 'migrations'), folder, { recursive: true });
  await mkdir(join(folder, '20990101000000_mood'));
  await writeFile(
    join(folder, '20990101000000_mood', 'migration.sql'),
    `ALTER TABLE thread ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
     ALTER TABLE response ADD COLUMN mood TEXT;
     CREATE TABLE mood (id TEXT PRIMARY KEY, thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE);`,
  );
  return folder;
}
