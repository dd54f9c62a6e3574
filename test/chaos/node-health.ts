/**
 * What the processes themselves must show after a run: the service at rest holds no viewer, no run and no text for long, it
 * listens with one connection a node, and, in `stress`, its event loops are free while it works without faults.
 */
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Node } from './node.js';
import type { ClusterWorld } from './with-cluster.js';

const warmUpMs = 2000;
const measuredMs = 4000;
const lagLimitMs = 50;
/** A node has waited up to 330 ms where the tests were alone on two processors. */
const waitLimitMs = measuredMs / 10;
/** The p99 of so many samples, one each 10 ms, is the fourth of them at least: to move it by 1 ms takes 4 ms of waiting. */
const waitsThatShow = 4;
/** An idle process on a machine with a free processor has some 12 ms, of which 10 are the measure's own. */
const ownLimitMs = 25;
/** The token log keeps what has ended for a minute. */
const keptSeconds = 70;
const bytesOfAnAnswer = 1024;

export interface LoopDelay {
  /** The greatest p99 of the nodes' event-loop delays. */
  worstMs: number;
  /** That of this process in the same time. */
  ownMs: number;
  /** The longest that a node has waited for a processor. */
  waitedMs: number;
  broken: string[];
}

/**
 * How late the event loops of the nodes are while they work without faults. Where this process, which does little, is late
 * as well, or a node has waited for a processor for a tenth of the time, the machine is short of processors: the figures
 * then say nothing of the program, and break no limit.
 */
export async function loopDelay(nodes: readonly Node[]): Promise<LoopDelay> {
  // A node that was just started still compiles.
  await sleep(warmUpMs);
  // Reading the metrics starts them anew.
  await Promise.all(nodes.map(readMetrics));
  const waitedBefore = await Promise.all(nodes.map(waitedMs));
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  await sleep(measuredMs);
  own.disable();
  const ownMs = own.percentile(99) / 1e6;
  const delays = await Promise.all(
    nodes.map(async (node, index) => {
      const waited = (await waitedMs(node)) - (waitedBefore[index] ?? 0);
      return { node, waited, ms: (await readMetrics(node)).get('nodejs_eventloop_lag_p99_seconds') * 1000 };
    }),
  );
  const late = delays.filter(
    ({ ms, waited }) => ms > lagLimitMs + waited / waitsThatShow && ownMs <= ownLimitMs && waited <= waitLimitMs,
  );
  const broken = late.map(
    ({ node, ms, waited }) =>
      `${node.name}: p99 of its event loop is ${ms} ms (here: ${ownMs} ms; it waited ${waited} ms for a processor)`,
  );
  return {
    ownMs,
    broken,
    worstMs: Math.max(...delays.map(({ ms }) => ms)),
    waitedMs: Math.max(...delays.map(({ waited }) => waited)),
  };
}

/** How long the event loop of a node has waited for a processor since it began; 0 where the system does not say (not Linux). */
async function waitedMs({ process }: Node): Promise<number> {
  if (platform() !== 'linux') return 0;
  const [, waitedNs] = (await readFile(`/proc/${process?.pid}/schedstat`, 'utf8')).split(' ');
  return Number(waitedNs) / 1e6;
}

/** Waits until the nodes are at rest; throws what they still hold after a minute. */
export async function expectRest({ cluster, database }: ClusterWorld): Promise<void> {
  await vi.waitFor(
    async () => {
      const listening = await database.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE starts_with(application_name, 'skein listen')`;
      expect(listening, 'connections that LISTEN').toEqual([{ count: cluster.nodes.length }]);
      const answers = await database.response.count({
        where: { finishedAt: { gt: new Date(Date.now() - keptSeconds * 1000) } },
      });
      for (const node of cluster.nodes) {
        const metrics = await readMetrics(node);
        expect(metrics.get('skein_viewers'), `viewers of ${node.name}`).toBe(0);
        expect(metrics.get('skein_impossible_pairs_repaired_total'), `repairs of ${node.name}`).toBe(0);
        expect(metrics.get('skein_running_responses'), `runs of ${node.name}`).toBe(0);
        const text = `text in the log of ${node.name}`;
        expect(metrics.get('skein_token_log_bytes'), text).toBeLessThanOrEqual(answers * bytesOfAnAnswer);
      }
    },
    { timeout: 60_000, interval: 200 },
  );
}

interface Metrics {
  get(name: string): number;
}

async function readMetrics({ url, name: nodeName }: Node): Promise<Metrics> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  const get = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`${nodeName} has no metric ${name}:\n${text}`);
    return Number(value);
  };
  return { get };
}
