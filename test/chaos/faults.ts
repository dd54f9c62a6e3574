/** One fault after another, chosen by chance, until the signal aborts; each is undone before the function returns. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Cluster } from './cluster.js';
import { type Node, NodeHangsError } from './node.js';

export type FaultName = 'kill' | 'freeze' | 'terminate' | 'drop connections' | 'crash the database' | 'silence';

export interface FaultOptions {
  cluster: Cluster;
  /** Straight to PostgreSQL; its own connections are spared. */
  database: PrismaClient;
  random: () => number;
  signal: AbortSignal;
  pauseMs: number;
  faults: readonly FaultName[];
}

/** A worker that went without giving back its runs. */
export interface Loss {
  pid: number;
  at: Date;
}

export interface Faults {
  /** How often each happened. */
  counts: Record<string, number>;
  losses: Loss[];
}

/** Beyond the lease of 6 s, so that a frozen worker wakes up as a zombie. */
const freezeMs = 9000;
const silenceMs = 12_000;

/** Runs faults side by side with the clients. Throws the first failure to undo one, such as a node that hangs. */
export async function breakThings(options: FaultOptions): Promise<Faults> {
  const { cluster, random, signal, pauseMs, faults } = options;
  const done: Faults = { counts: {}, losses: [] };
  const failures: unknown[] = [];
  const mending: Promise<void>[] = [];
  while (!signal.aborted && failures.length === 0) {
    await sleep(pauseMs * (0.5 + random()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const healthy = cluster.nodes.filter((node) => node.url && !node.isFrozen);
    const node = healthy[Math.floor(random() * healthy.length)];
    const fault = faults[Math.floor(random() * faults.length)];
    // One node at least stays up: with none there is nobody to check.
    if (!node || !fault || (healthy.length < 2 && nodeFaults.has(fault))) continue;
    done.counts[fault] = (done.counts[fault] ?? 0) + 1;
    if ((fault === 'kill' || fault === 'freeze') && node.process?.pid)
      done.losses.push({ pid: node.process.pid, at: new Date() });
    mending.push(apply[fault](options, node).catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(mending);
  if (failures.length > 0) throw failures[0];
  return done;
}

const nodeFaults = new Set<FaultName>(['kill', 'freeze', 'terminate', 'silence']);

type Target = Pick<FaultOptions, 'cluster' | 'database'>;

const apply: Record<FaultName, (target: Target, node: Node) => Promise<void>> = {
  kill: (_target, node) => restart(node, 'SIGKILL'),
  terminate: (_target, node) => restart(node, 'SIGTERM'),
  freeze: async (_target, node) => {
    const { url } = node;
    node.url = undefined;
    node.freeze();
    await sleep(freezeMs);
    node.thaw();
    node.url = url;
  },
  'drop connections': async ({ database }) => {
    // A database that is just away has dropped them already.
    await database.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'skein%'`.catch(
      () => undefined,
    );
  },
  'crash the database': ({ cluster }) => cluster.crashDatabase(),
  silence: async (_target, node) => {
    node.proxy.silence();
    await sleep(silenceMs);
    node.proxy.restore();
  },
};

/** A start may fail where the database is away just then; whoever runs a node starts it again. */
async function restart(node: Node, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await node.end(signal);
  for (let tries = 0; ; tries += 1) {
    try {
      await node.start();
      return;
    } catch (error) {
      if (tries >= 20 || error instanceof NodeHangsError) throw error;
      await sleep(300);
    }
  }
}
