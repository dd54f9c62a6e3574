/**
 * How long a token takes from the model's write to the viewer's receipt, for each way in which tokens travel between nodes,
 * beside a bare relay of the same stream under the same load. The model keeps its schedule whatever the receivers do, so a
 * pause shows in all the tokens that it holds up, and not in one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedis, RedisServer } from '../support/network/redis.js';
import type { Bench, BenchContext, Row, Scale } from './bench.js';
import { quantile } from './measuring/statistics.js';
import { openViewer, type TokenViewer, textOfDelta, textOfToken, type ViewedStream } from './measuring/token-viewer.js';
import type { Child } from './stage/child.js';
import type { BenchPerson } from './stage/seed.js';
import { latencyCell } from './table.js';

/** One way from the model to the viewers. */
interface Way {
  name: string;
  /** By name, for the delays of their event loops. */
  processes: Record<string, Child>;
  /** Has the model asked once, and says where to watch the answer. */
  open: () => Promise<ViewedStream>;
  close?: () => Promise<void>;
}

interface Measured {
  p50Ms: number;
  p99Ms: number;
  /** What it cost the processes, as a cell. */
  effort: string;
  /** Processor time of all of them for a token. */
  cpuMs: number;
}

/** More than any connection takes: the model writes all of its tokens at once. */
const atOncePerSecond = 1e9;

export const tokens: Bench = {
  name: 'tokens',
  summary: "from the model's token to the viewer, through each feed, and a bare relay",
  async run(context) {
    const model = await context.stage.startProgram('model.ts');
    const bare = await relayWay(context, model);
    const relay = await measure(context, model, bare);
    const rows: Row[] = [];
    for (const [limit, openWay, cpuLimit] of [
      [50, localWay, 3],
      [100, postgresWay],
      ...(hasRedis ? [[100, redisWay] as const] : []),
    ] as const) {
      const way = await openWay(context, model);
      const measured = await measure(context, model, way);
      const { p99Ms } = measured;
      rows.push({
        what: `${way.name}, write → receipt`,
        ours: latencyCell(measured),
        baseline: latencyCell(relay),
        ratio: p99Ms / relay.p99Ms,
        limit,
        measured: p99Ms,
      });
      rows.push({
        what: `${way.name}, loop delay p99, CPU a token`,
        ours: measured.effort,
        baseline: relay.effort,
        ratio: measured.cpuMs / relay.cpuMs,
        ...(cpuLimit && { limit: cpuLimit }),
      });
      if (openWay === localWay) rows.push(await compareAtOnce(context, model, { bare, way }));
      for (const child of Object.values(way.processes)) await child.end();
      await way.close?.();
    }
    if (!hasRedis) rows.push({ what: 'two nodes, Redis', ours: 'skipped: no redis-server in PATH', baseline: '' });
    return rows;
  },
};

async function measure({ scale, progress }: BenchContext, model: Child, way: Way): Promise<Measured> {
  const { responses, tokens, perSecond } = scale.tokens;
  progress(`${way.name}: ${responses} responses at ${perSecond} tokens/s for ${tokens / perSecond} s`);
  const processes = Object.entries({ ...way.processes, model });
  // Once before it counts, because code that runs for the first time is not compiled yet.
  await play(model, await openAll(model, way, { ...scale.tokens, tokens: Math.ceil(tokens / 4) }));
  const opened = await openAll(model, way, scale.tokens);
  for (const [, child] of processes) await child.busyness();
  await model.ask('takeLateness');
  const { latenciesMs } = await play(model, opened);
  const lateness = quantile(await model.ask<number[]>('takeLateness'), 0.99);
  const efforts = await Promise.all(processes.map(([name, child]) => effortOf(name, child, latenciesMs.length)));
  return {
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    effort: [...efforts.map(({ cell }) => cell), `sender late ${lateness.toFixed(1)} ms`].join(', '),
    // Without that of the model, which is the last.
    cpuMs: efforts.slice(0, -1).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

/** The delay of the process's event loop, and the processor time that it spent on a token. */
export async function effortOf(name: string, child: Child, count: number): Promise<{ cell: string; cpuMs: number }> {
  const { loopDelayP99Ms, cpuMs } = await child.busyness();
  const cell = `${name} ${loopDelayP99Ms.toFixed(1)} ms ${((cpuMs / count) * 1000).toFixed(0)} µs`;
  return { cell, cpuMs: cpuMs / count };
}

/** How many tokens a second reach their viewers when the model says all at once; the outcomes are stored meanwhile. */
async function compareAtOnce(
  { scale, progress }: BenchContext,
  model: Child,
  { bare, way }: { bare: Way; way: Way },
): Promise<Row> {
  const { responses, atOnce: tokens, rounds } = scale.tokens;
  progress(`${responses} responses of ${tokens} tokens at once`);
  const rates: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, one] of [
      ['baseline', bare],
      ['ours', way],
    ] as const) {
      const opened = await openAll(model, one, { responses, tokens, perSecond: atOncePerSecond });
      const { latenciesMs, tookMs } = await play(model, opened);
      rates[side].push((latenciesMs.length / tookMs) * 1000);
    }
  }
  const [ours, baseline] = [quantile(rates.ours, 0.5), quantile(rates.baseline, 0.5)];
  const cell = (rate: number) => `${Math.round(rate).toLocaleString('en')} tokens/s`;
  return {
    what: `${way.name}, all tokens at once`,
    ours: cell(ours),
    baseline: cell(baseline),
    ratio: baseline / ours,
    limit: 2.2,
  };
}

interface Opened {
  name: string;
  viewers: TokenViewer[];
  expected: number;
}

type Load = Pick<Scale['tokens'], 'responses' | 'tokens' | 'perSecond'>;

/** Has the model asked for all responses, each with its viewer. */
async function openAll(model: Child, way: Way, load: Load): Promise<Opened> {
  await model.ask('schedule', load);
  const streams = await Promise.all(Array.from({ length: load.responses }, way.open));
  const viewers = await Promise.all(streams.map(openViewer));
  while ((await model.ask<number>('waiting')) < load.responses) await sleep(20);
  return { name: way.name, viewers, expected: load.responses * load.tokens };
}

/** Has them spoken at once. The latency of every token, and the time until the last stream ended; throws where one did not arrive. */
async function play(model: Child, { name, viewers, expected }: Opened) {
  const startedMs = performance.now();
  await model.ask('speak');
  const latenciesMs = (await Promise.all(viewers.map((viewer) => viewer.latenciesMs))).flat();
  const tookMs = performance.now() - startedMs;
  if (latenciesMs.length === expected) return { latenciesMs, tookMs };
  throw new Error(`${name}: ${latenciesMs.length} tokens arrived of ${expected}`);
}

async function relayWay({ stage }: BenchContext, model: Child): Promise<Way> {
  const relay = await stage.startProgram('relay.ts', { MODEL_URL: model.url });
  const open = () => Promise.resolve({ url: relay.url, textOf: textOfDelta });
  return { name: 'relay', processes: { relay }, open };
}

async function localWay(context: BenchContext, model: Child): Promise<Way> {
  const all = await context.stage.startService(settingsOf(context, model));
  const person = await all.ask<BenchPerson>('person', 'viewer');
  return { name: 'one process', processes: { all }, open: () => createThread(all.url, person) };
}

async function postgresWay(context: BenchContext, model: Child): Promise<Way> {
  return { name: 'two nodes, PostgreSQL', ...(await twoNodes(context, model, {})) };
}

async function redisWay(context: BenchContext, model: Child): Promise<Way> {
  const redis = await RedisServer.start();
  const nodes = await twoNodes(context, model, { REDIS_URL: redis.url });
  return { name: 'two nodes, Redis', ...nodes, close: () => redis.stop() };
}

/** The viewers are on one node, the worker on the other. */
async function twoNodes(context: BenchContext, model: Child, feed: Record<string, string>) {
  const { stage } = context;
  const { environment: common, settings } = settingsOf(context, model);
  const environment = { ...common, ...feed };
  const databaseUrl = await stage.createDatabase();
  const api = await stage.startService({ databaseUrl, settings, environment: { ...environment, ROLE: 'api' } });
  const worker = await stage.startService({ databaseUrl, settings, environment: { ...environment, ROLE: 'worker' } });
  const person = await api.ask<BenchPerson>('person', 'viewer');
  return { processes: { api, worker }, open: () => createThread(api.url, person) };
}

export function settingsOf({ scale }: BenchContext, model: Child) {
  const share = String(scale.tokens.responses);
  const shares = { RESPONSES_PER_USER: share, RESPONSES_PER_ORGANIZATION: share };
  const environment = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: `${model.url}/v1`, ...shares };
  return { environment, settings: { concurrency: scale.tokens.responses } };
}

export async function createThread(url: string, { token }: BenchPerson): Promise<ViewedStream> {
  const response = await fetch(`${url}/api/v1/threads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Count.' }),
  });
  if (response.status !== 201) throw new Error(`POST /threads → ${response.status} ${await response.text()}`);
  const { thread_id: thread, message_id: message } = (await response.json()) as Record<string, string>;
  return { url: `${url}/api/v1/threads/${thread}/messages/${message}/response/stream`, token, textOf: textOfToken };
}
