/**
 * Whether pages stay as fast where there is much to read: a list of many threads beside one of few, and searches beside the
 * plain statement that one would write by hand. BENCH_THREADS sets how many threads there are, with ten messages each.
 */
import { runSql } from '../support/server.js';
import type { Bench, BenchContext, Row } from './bench.js';
import { compare } from './measuring/compare.js';
import type { Question } from './measuring/http-load.js';
import type { Child } from './stage/child.js';
import type { BenchPerson } from './stage/seed.js';
import { comparedCells } from './table.js';

const searches = [
  ['a word in every message', 'every'],
  ['a word in a third of them', 'third'],
  ['two frequent words', 'every third'],
  ['a prefix', 'wor'],
  ['a phrase', '"red wine"'],
  ['a rare word', 'rare'],
  ['a word in one of 300 messages', 'medium'],
  ['a phrase of frequent words that never stand together', '"every left"'],
  ['two frequent words that are never together', 'left right'],
  ['a frequent word without itself', 'every -every'],
  ['a word that nobody said, and a frequent prefix', 'nothing wor'],
] as const;

/** Few enough for any page to be cheap. */
const smallThreads = 200;

export const size: Bench = {
  name: 'size',
  summary: 'lists and searches of many threads: BENCH_THREADS, 10,000 by default',
  async run(context) {
    const { stage, scale, progress } = context;
    const threads = Number(process.env['BENCH_THREADS'] ?? scale.size.threads);
    const databaseUrl = await stage.createDatabase();
    const service = await stage.startService({ databaseUrl });
    const bare = await stage.startProgram('bare-server.ts', { DATABASE_URL: databaseUrl });
    const small = await service.ask<BenchPerson>('person', 'small');
    const large = await service.ask<BenchPerson>('person', 'large');
    await fill(databaseUrl, small, { threads: smallThreads, prefix: 's' });
    progress(`storing ${threads} threads with ten messages each`);
    await fill(databaseUrl, large, { threads, prefix: 'l' });
    const list = (person: BenchPerson) => ({ url: `${service.url}/api/v1/threads?limit=50`, token: person.token });
    const what = `GET /threads (50) of ${threads}, and of ${smallThreads}`;
    const rows: Row[] = [{ ...(await measure(context, what, list(large), list(small))), limit: 1.3 }];
    for (const [name, q] of searches)
      rows.push(await measureSearch(context, { service, bare, person: large, name, q }));
    return rows;
  },
};

interface Search {
  service: Child;
  bare: Child;
  person: BenchPerson;
  name: string;
  q: string;
}

function measureSearch(context: BenchContext, { service, bare, person, name, q }: Search): Promise<Row> {
  const { organizationId, userId, token } = person;
  const asked = encodeURIComponent(q);
  const ours = { url: `${service.url}/api/v1/threads?limit=50&q=${asked}`, token };
  const byHand = { url: [bare.url, 'search', organizationId, userId, asked].join('/'), token };
  return measure(context, `search for ${name}`, ours, byHand);
}

async function measure(context: BenchContext, what: string, ours: Question, baseline: Question): Promise<Row> {
  context.progress(what);
  return { what, ...comparedCells(await compare(ours, baseline, context.scale.size.requests)) };
}

async function fill(
  databaseUrl: string,
  { organizationId, userId }: BenchPerson,
  { threads, prefix }: { threads: number; prefix: string },
): Promise<void> {
  const numbers = `generate_series(0, ${threads - 1}) i`;
  await runSql(
    databaseUrl,
    `INSERT INTO thread (id, organization_id, owner_id, name, last_sequence, created_at, updated_at)
     SELECT 'thr_${prefix}' || lpad(i::text, 25, '0'), ${organizationId}, '${userId}', 'Thread ' || i, 20,
       now() - i * interval '1 minute', now() - i * interval '1 minute'
     FROM ${numbers}`,
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
     SELECT 'msg_${prefix}' || lpad((i * 10 + k)::text, 25, '0'), 'thr_${prefix}' || lpad(i::text, 25, '0'), 2 * k, 'user',
       jsonb_build_array(jsonb_build_object('type', 'text', 'text', concat_ws(' ', 'every', 'work' || i,
         CASE WHEN (i + k) % 3 = 0 THEN 'third' END, CASE WHEN (i + k) % 2 = 0 THEN 'left' ELSE 'right' END,
         CASE WHEN i % 3 = 1 THEN 'red wine' ELSE 'wine or red' END,
         CASE WHEN (i * 10 + k) % 300 = 7 THEN 'medium' END, CASE WHEN i % 700 = 5 AND k = 1 THEN 'rare' END))), now()
     FROM ${numbers}, generate_series(1, 10) k`,
    'VACUUM ANALYZE',
  );
}
