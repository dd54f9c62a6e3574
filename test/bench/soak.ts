/**
 * Whether a service that works for hours stays as it was: its memory, its connections and its latencies in the last third of
 * the time beside the middle one, and what it keeps for each turn beside the text of it. SOAK_SECONDS says for how long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../support/server.js';
import type { Bench, BenchContext, Row } from './bench.js';
import { median, quantile } from './measuring/statistics.js';
import { takeTurn } from './measuring/turn-load.js';
import type { Child } from './stage/child.js';
import type { BenchPerson } from './stage/seed.js';

/** What a person's answer is long. */
const words = Array.from({ length: 150 }, (_, index) => `word${index} `);
const turnsPerThread = 5;
const readEveryMs = 250;
const samples = 60;

interface Sample {
  residentMB: number;
  heapMB: number;
  connections: number;
  /** All tables with their indexes. */
  tablesMB: number;
}

export const soak: Bench = {
  name: 'soak',
  summary: 'memory, connections and tables under a moderate load that lasts: SOAK_SECONDS, an hour by default',
  async run(context) {
    const { scale, stage, progress } = context;
    const durationMs = Number(process.env['SOAK_SECONDS'] ?? scale.soak.seconds) * 1000;
    const databaseUrl = await stage.createDatabase();
    const service = await startService(context, databaseUrl);
    const person = await service.ask<BenchPerson>('person', 'soak');
    const end = AbortSignal.timeout(durationMs);
    const talking = talk({ url: `${service.url}/api/v1`, token: person.token }, scale.soak.turnsPerSecond, end);
    const reading = read(service, person, end);
    const taken: Sample[] = [];
    while (!end.aborted) {
      await sleep(durationMs / samples, undefined, { signal: end }).catch(() => undefined);
      const sample = await sampleOf(service, databaseUrl);
      taken.push(sample);
      const { residentMB, heapMB, connections, tablesMB } = sample;
      const memory = `${residentMB.toFixed(0)} MB, heap ${heapMB.toFixed(0)} MB`;
      progress(`${memory}, ${connections} connections, tables ${tablesMB.toFixed(1)} MB`);
    }
    await reading;
    const latenciesMs = await talking;
    return [...memoryRows(taken), turnsRow(latenciesMs), await bytesRow(databaseUrl, latenciesMs.length)];
  },
};

async function startService({ stage }: BenchContext, databaseUrl: string): Promise<Child> {
  const model = await stage.startProgram('model.ts');
  await model.ask('greet', words);
  const environment = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: `${model.url}/v1` };
  return stage.startService({ databaseUrl, environment });
}

/** Takes turns at a steady rate, in threads of five, and gives the latency of each first token in the order of their beginnings. */
async function talk(server: { url: string; token: string }, perSecond: number, end: AbortSignal): Promise<number[]> {
  const latencies: Promise<number>[] = [];
  let threadId: Promise<string | undefined> = Promise.resolve(undefined);
  for (let turn = 0; !end.aborted; turn += 1) {
    const before = turn % turnsPerThread === 0 ? Promise.resolve(undefined) : threadId;
    const taken = before.then((id) => takeTurn(server, { threadId: id }));
    threadId = taken.then((one) => one.threadId);
    latencies.push(taken.then(({ firstTokenMs }) => firstTokenMs));
    await sleep(1000 / perSecond, undefined, { signal: end }).catch(() => undefined);
  }
  return Promise.all(latencies);
}

/** Reads the list, the page after it, and a search, again and again. */
async function read(service: Child, { token }: BenchPerson, end: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const readPage = async (query: string) => {
    const page = await fetch(`${service.url}/api/v1/threads?limit=20${query}`, { headers });
    if (!page.ok) throw new Error(`${page.status} for a page: ${await page.text()}`);
    return (await page.json()) as { last_id: string | null };
  };
  while (!end.aborted) {
    const { last_id: last } = await readPage('');
    if (last) await readPage(`&after=${last}`);
    await readPage('&q=word7');
    await sleep(readEveryMs, undefined, { signal: end }).catch(() => undefined);
  }
}

async function sampleOf(service: Child, databaseUrl: string): Promise<Sample> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const look = `SELECT count(*)::int AS count, (SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS bytes
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  const [row] = (await runSql(databaseUrl, look)) as { count: number; bytes: number }[];
  return {
    residentMB: gauge('process_resident_memory_bytes') / 1e6,
    heapMB: gauge('nodejs_heap_size_used_bytes') / 1e6,
    connections: row?.count ?? Number.NaN,
    tablesMB: (row?.bytes ?? Number.NaN) / 1e6,
  };
}

function thirds<Item>(items: readonly Item[]): { middle: Item[]; last: Item[] } {
  const third = Math.floor(items.length / 3);
  return { middle: items.slice(third, 2 * third), last: items.slice(2 * third) };
}

function memoryRows(taken: readonly Sample[]): Row[] {
  const rowOf = (what: string, limit: number, unit: string, measure: (sample: Sample) => number): Row => {
    const { middle, last } = thirds(taken.map(measure));
    const [before, after] = [median(middle), median(last)];
    return {
      what: `${what}, last third beside the middle one`,
      ours: `${after.toFixed(0)}${unit}`,
      baseline: `${before.toFixed(0)}${unit}`,
      ratio: after / before,
      limit,
    };
  };
  return [
    rowOf('memory of the process', 1.1, ' MB', ({ residentMB }) => residentMB),
    rowOf('heap', 1.15, ' MB', ({ heapMB }) => heapMB),
    rowOf('connections to the database', 1.05, '', ({ connections }) => connections),
  ];
}

function turnsRow(latenciesMs: readonly number[]): Row {
  const { middle, last } = thirds(latenciesMs);
  const cellOf = (some: readonly number[]) =>
    `p50 ${quantile(some, 0.5).toFixed(1)}  p99 ${quantile(some, 0.99).toFixed(1)} ms`;
  const ratio = quantile(last, 0.5) / quantile(middle, 0.5);
  return {
    what: `first token of ${latenciesMs.length} turns, last third beside the middle one`,
    ours: cellOf(last),
    baseline: cellOf(middle),
    ratio,
    limit: 1.3,
  };
}

/** What is kept beside the conversation: its history, positions of lists, keys and texts under way. */
const bookkeeping = ['thread_event', 'thread_position', 'list_position', 'idempotency_key', 'token_chunk'];

/** With their indexes. The words of messages, which searches need, count as content. */
async function bytesRow(databaseUrl: string, turns: number): Promise<Row> {
  const sizes = (await runSql(
    databaseUrl,
    `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  )) as { name: string; bytes: number }[];
  const sum = (isOne: (name: string) => boolean) =>
    sizes.filter(({ name }) => isOne(name)).reduce((total, { bytes }) => total + bytes, 0) / turns;
  const kept = sum((name) => bookkeeping.includes(name));
  const content = sum((name) => ['thread', 'message', 'response', 'attachment'].includes(name));
  const each = bookkeeping.map((one) => `${one} ${Math.round(sum((name) => name === one))}`).join(', ');
  return {
    what: `bytes a turn of bookkeeping beside content (${each})`,
    ours: Math.round(kept).toLocaleString('en'),
    baseline: Math.round(content).toLocaleString('en'),
    ratio: kept / content,
    limit: 1,
  };
}
