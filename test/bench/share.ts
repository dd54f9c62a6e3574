/**
 * What somebody else notices while one user takes all that they can get (`programs/attacker.ts`): requests, first tokens and live
 * updates of a user of another organization, in rounds with and without the attack that take turns. The baseline is the same
 * service without the attack.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import type { Bench, Row } from './bench.js';
import { quantile } from './measuring/statistics.js';
import type { Attack } from './programs/attacker.js';
import type { BenchPerson } from './stage/seed.js';
import { latencyCell } from './table.js';

interface Waits {
  requests: number[];
  firstTokens: number[];
  updates: number[];
}

/** Whoever waits longer has been shut out, and the benchmark fails. */
const patienceMs = 20_000;

const noWaits = (): Waits => ({ requests: [], firstTokens: [], updates: [] });

export const share: Bench = {
  name: 'share',
  summary: 'what one user’s attack changes for somebody else (runs only where it is named)',
  async run({ stage, scale, progress }): Promise<Row[]> {
    const databaseUrl = await stage.createDatabase();
    const model = await stage.startProgram('model.ts');
    const service = await stage.startService({
      databaseUrl,
      environment: {
        AI_MODEL: 'compatible:scripted',
        AI_BASE_URL: `${model.url}/v1`,
        STREAMS_PER_PROCESS: '1500',
        STREAMS_PER_USER: '1000',
      },
    });
    const victim = await service.ask<BenchPerson>('person', 'victim');
    const accounts = [await service.ask<BenchPerson>('person', 'attacker')];
    for (let n = 0; n < 4; n += 1) accounts.push(await service.ask<BenchPerson>('colleague', 'attacker'));
    const attacker = await stage.startProgram('attacker.ts');
    const tokens = accounts.map(({ token }) => token);
    const attack: Attack = { url: service.url, tokens, ...scale.share.attack };
    const [calm, attacked] = [noWaits(), noWaits()];
    await measure(service.url, victim, noWaits(), scale.share.roundMs);
    for (let round = 0; round < scale.share.rounds; round += 1) {
      progress(`round ${round + 1}: without the attack`);
      await measure(service.url, victim, calm, scale.share.roundMs);
      progress(`round ${round + 1}: under attack`);
      await attacker.ask('start', attack);
      await measure(service.url, victim, attacked, scale.share.roundMs);
      await attacker.ask('stop');
      await sleep(1000);
    }
    return [
      rowOf('requests', attacked.requests, calm.requests),
      rowOf('first token', attacked.firstTokens, calm.firstTokens),
      rowOf('live update', attacked.updates, calm.updates),
    ];
  },
};

function rowOf(what: string, attacked: readonly number[], calm: readonly number[]): Row {
  const cellOf = (values: readonly number[]) =>
    latencyCell({ p50Ms: quantile(values, 0.5), p99Ms: quantile(values, 0.99) });
  const ratio = quantile(attacked, 0.99) / quantile(calm, 0.99);
  return { what: `${what}, p99 under attack`, ours: cellOf(attacked), baseline: cellOf(calm), ratio, limit: 3 };
}

/** Asks, sends and follows, one after the other, for so long. */
async function measure(url: string, { token }: BenchPerson, waits: Waits, durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const graphql = new GraphQLClient({ origin: url, token });
  do {
    for (const path of ['/me', '/threads', '/me', '/threads']) {
      waits.requests.push(
        await timed(async () => {
          const signal = AbortSignal.timeout(patienceMs);
          return (await fetch(`${url}/api/v1${path}`, { headers, signal })).arrayBuffer();
        }),
      );
    }
    let id = '';
    waits.firstTokens.push(
      await timed(async () => {
        const reply = await fetch(`${url}/api/v1/threads`, { method: 'POST', headers, body: '{"text":"Hi"}' });
        const sent = (await reply.json()) as { thread_id: string; message_id: string };
        id = sent.thread_id;
        await firstToken(`${url}/api/v1/threads/${id}/messages/${sent.message_id}/response/stream`, headers);
      }),
    );
    waits.updates.push(await updateOf(graphql, id));
  } while (performance.now() < endMs);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function firstToken(url: string, headers: Record<string, string>): Promise<void> {
  const reply = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) });
  let text = '';
  for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('event: token')) return;
  }
  throw new Error(`${url} → ${reply.status}, and no token: ${text}`);
}

/** From a change of a thread to its event at a follower. */
async function updateOf(graphql: GraphQLClient, id: string): Promise<number> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patienceMs);
  const query = `subscription ($id: ID!) { threadChanged(id: $id) { name } }`;
  const { results } = await graphql.subscribe({ query, variables: { id } }, abort.signal);
  await results.next();
  // A follower reads at most ten times a second, so the change arrives with its next read.
  await sleep(120);
  const name = `renamed ${performance.now()}`;
  const waitMs = await timed(async () => {
    const renamed = graphql.data(
      `mutation ($input: RenameThreadInput!) { renameThread(input: $input) { __typename } }`,
      { input: { id, name } },
    );
    for await (const { data } of results) if (data?.threadChanged.name === name) break;
    await renamed;
  });
  if (abort.signal.aborted) throw new Error(`No live update came within ${patienceMs / 1000} s.`);
  clearTimeout(timer);
  abort.abort();
  return waitMs;
}
