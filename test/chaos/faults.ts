/** One fault after another, chosen by chance, until the signal aborts; each is undone before the function returns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../support/server.js';
import type { Cluster, Node } from './cluster.js';

export type FaultName = 'kill' | 'freeze' | 'terminate' | 'drop connections' | 'crash the database' | 'silence';

export interface FaultOptions {
  cluster: Cluster;
  random: () => number;
  signal: AbortSignal;
  pauseMs: number;
  faults: readonly FaultName[];
}

/** Beyond the lease of 6 s, so that a frozen worker wakes up as a zombie. */
const freezeMs = 9000;
const silenceMs = 12_000;

/** Runs faults side by side with the clients. Gives how often each happened. */
export async function breakThings({
  cluster,
  random,
  signal,
  pauseMs,
  faults,
}: FaultOptions): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const mending: Promise<void>[] = [];
  while (!signal.aborted) {
    await sleep(pauseMs * (0.5 + random()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const healthy = cluster.nodes.filter((node) => node.url && !node.isFrozen);
    const node = healthy[Math.floor(random() * healthy.length)];
    const fault = faults[Math.floor(random() * faults.length)];
    // One node at least stays up: with none there is nobody to check.
    if (!node || !fault || (healthy.length < 2 && nodeFaults.has(fault))) continue;
    counts[fault] = (counts[fault] ?? 0) + 1;
    mending.push(apply[fault](cluster, node));
  }
  await Promise.all(mending);
  return counts;
}

const nodeFaults = new Set<FaultName>(['kill', 'freeze', 'terminate', 'silence']);

const apply: Record<FaultName, (cluster: Cluster, node: Node) => Promise<void>> = {
  kill: (_cluster, node) => restart(node, 'SIGKILL'),
  terminate: (_cluster, node) => restart(node, 'SIGTERM'),
  freeze: async (_cluster, node) => {
    const { url } = node;
    node.url = undefined;
    node.freeze();
    await sleep(freezeMs);
    node.thaw();
    node.url = url;
  },
  'drop connections': async ({ server }) => {
    await runSql(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'skein%' AND pid <> pg_backend_pid()`,
    ).catch(() => undefined);
  },
  'crash the database': (cluster) => cluster.crashDatabase(),
  silence: async (_cluster, node) => {
    node.proxy.silence();
    await sleep(silenceMs);
    node.proxy.restore();
  },
};

async function restart(node: Node, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await node.end(signal);
  for (let tries = 0; ; tries += 1) {
    try {
      await node.start();
      return;
    } catch (error) {
      if (tries >= 20) throw error;
      await sleep(300);
    }
  }
}
