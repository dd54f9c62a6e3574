/**
 * How long a message waits for a worker: from its commit to its claim, as the database's clock has it, and from the caller's
 * request to the model's. The messages are sent on a schedule, whether those before them were taken or not. The baseline is
 * the least that a queue in PostgreSQL takes: a row with a notification, claimed by whoever is notified.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runSql } from '../support/server.js';
import type { Bench, BenchContext, Row } from './bench.js';
import { latencyCell } from './cells.js';
import { clockMs } from './measuring/clock.js';
import { warmUp } from './measuring/compare.js';
import type { Question } from './measuring/http-load.js';
import { quantile } from './measuring/statistics.js';
import { idle } from './stage/idle.js';
import type { BenchPerson } from './stage/seed.js';

export const pickUp: Bench = {
  name: 'pick-up',
  summary: 'from a sent message to its claim by a worker, and a bare queue in PostgreSQL',
  async run(context) {
    const { stage, scale, progress } = context;
    const databaseUrl = await stage.createDatabase();
    const model = await stage.startProgram('model.ts');
    const environment = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: `${model.url}/v1` };
    const api = await stage.startService({ databaseUrl, environment: { ...environment, ROLE: 'api' } });
    await stage.startService({ databaseUrl, environment: { ...environment, ROLE: 'worker' } });
    const person = await api.ask<BenchPerson>('person', 'pick-up');
    progress(`a bare queue at ${scale.pickUp.perSecond} sends/s`);
    const bare = await measureQueue(context, databaseUrl);
    progress(`two nodes at ${scale.pickUp.perSecond} sends/s`);
    const threads: Question = { url: `${api.url}/api/v1/threads`, method: 'POST', token: person.token };
    await warmUp({ ...threads, body: { text: 'Warm' } }, { connections: 4, warmUp: scale.pickUp.warmUp });
    await idle(databaseUrl);
    const sentMs = await sendAll(context, threads);
    const claims = await readClaims(databaseUrl);
    const asked = await model.ask<Record<string, number>>('asked');
    const toModel = [...sentMs].map(([text, sent]) => (asked[text] ?? Number.NaN) - sent);
    return [rowOf('commit → claimed', claims, bare), rowOf('request → the model is asked', toModel, bare)];
  },
};

function rowOf(what: string, latenciesMs: readonly number[], bare: readonly number[]): Row {
  const cellOf = (values: readonly number[]) =>
    latencyCell({ p50Ms: quantile(values, 0.5), p99Ms: quantile(values, 0.99) });
  const ratio = quantile(latenciesMs, 0.5) / quantile(bare, 0.5);
  return { what, ours: cellOf(latenciesMs), baseline: cellOf(bare), ratio };
}

/** Calls `send` on schedule, and waits for all of its calls. */
async function onSchedule({ scale }: BenchContext, send: (index: number) => Promise<void>): Promise<void> {
  const { sends, perSecond } = scale.pickUp;
  const startMs = clockMs();
  const calls: Promise<void>[] = [];
  for (let index = 0; index < sends; index += 1) {
    const earlyMs = startMs + (index * 1000) / perSecond - clockMs();
    if (earlyMs > 0) await sleep(earlyMs);
    calls.push(send(index));
  }
  await Promise.all(calls);
}

/** What the messages say that are sent on schedule, before their number. */
const word = 'Counted';

/** When each message was sent, by its text. */
async function sendAll(context: BenchContext, { url, token }: Question): Promise<Map<string, number>> {
  const sentMs = new Map<string, number>();
  await onSchedule(context, async (index) => {
    const text = `${word} ${index}`;
    sentMs.set(text, clockMs());
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text }) });
    if (response.status !== 201) throw new Error(`POST /threads → ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
  return sentMs;
}

/** The waits of the messages that were sent on schedule, once all are answered. */
async function readClaims(databaseUrl: string): Promise<number[]> {
  await idle(databaseUrl);
  const rows = await runSql(
    databaseUrl,
    `SELECT extract(epoch FROM r.started_at - r.created_at)::float8 * 1000 AS wait
     FROM response r JOIN message m ON m.id = r.message_id WHERE m.contents->0->>'text' LIKE '${word}%'`,
  );
  return rows.map((row) => Number(Object(row)['wait']));
}

/** From the insertion of a row to its claim by the one who was notified of it. */
async function measureQueue(context: BenchContext, databaseUrl: string): Promise<number[]> {
  const sender = new pg.Pool({ connectionString: databaseUrl });
  const worker = new pg.Client({ connectionString: databaseUrl });
  await worker.connect();
  try {
    await sender.query(
      'CREATE TABLE bare_queue (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), claimed_at timestamptz)',
    );
    const claim = `UPDATE bare_queue SET claimed_at = clock_timestamp()
      WHERE id IN (SELECT id FROM bare_queue WHERE claimed_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED)`;
    let claims: Promise<unknown> = Promise.resolve();
    worker.on('notification', () => {
      claims = claims.then(() => worker.query({ name: 'claim', text: claim }));
    });
    await worker.query('LISTEN bare_queue');
    const text = `WITH added AS (INSERT INTO bare_queue DEFAULT VALUES RETURNING id) SELECT pg_notify('bare_queue', '') FROM added`;
    await onSchedule(context, async () => void (await sender.query({ name: 'send', text })));
    const waits = await waitsOf(sender, context.scale.pickUp.sends);
    await claims;
    return waits;
  } finally {
    await worker.end();
    await sender.end();
  }
}

async function waitsOf(sender: pg.Pool, count: number): Promise<number[]> {
  for (;;) {
    const { rows } = await sender.query<{ wait: number }>(
      'SELECT extract(epoch FROM claimed_at - created_at)::float8 * 1000 AS wait FROM bare_queue WHERE claimed_at IS NOT NULL',
    );
    if (rows.length >= count) return rows.map(({ wait }) => wait);
    await sleep(20);
  }
}
