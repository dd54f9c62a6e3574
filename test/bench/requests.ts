/**
 * What a REST request costs beside the least that it could cost: a bare Koa server with the same check of the token and one
 * prepared statement that reads or writes the same rows of the same database, without other checks or GraphQL.
 */
import type { Bench, BenchContext, Row } from './bench.js';
import { compare, figuresOf } from './measuring/compare.js';
import { load, type Question } from './measuring/http-load.js';
import type { Child } from './stage/child.js';
import { type Seeded, seed } from './stage/seed.js';
import { idle } from './stage/stage.js';
import { comparedCells, rateCell } from './table.js';

interface Request {
  name: string;
  path: (seeded: Seeded) => string;
  /** Of the bare server: the name of its statement, then the values. */
  bare: (seeded: Seeded) => (string | number)[];
  /** The goal: at most so many times dearer. */
  limit?: number;
}

const reads: Request[] = [
  { name: 'GET /me', path: () => '/me', bare: ({ userId }) => ['me', userId] },
  {
    name: 'GET /threads (50)',
    path: () => '/threads?limit=50',
    bare: ({ organizationId, userId }) => ['threads', organizationId, userId],
    limit: 1.7,
  },
  {
    name: 'GET /threads/{id}',
    path: ({ threadId }) => `/threads/${threadId}`,
    bare: ({ threadId }) => ['thread', threadId],
    limit: 2,
  },
  {
    name: 'GET messages (50)',
    path: ({ threadId }) => `/threads/${threadId}/messages?limit=50`,
    bare: ({ threadId }) => ['messages', threadId],
    limit: 1.7,
  },
  {
    name: 'GET response (poll)',
    path: ({ threadId, messageId }) => `/threads/${threadId}/messages/${messageId}/response`,
    bare: ({ messageId }) => ['response', messageId],
  },
];

export const requests: Bench = {
  name: 'requests',
  summary: 'REST requests, and a bare Koa server with the same token and one prepared statement',
  async run(context) {
    const { stage, scale } = context;
    const databaseUrl = await stage.createDatabase();
    const model = await stage.startProgram('model.ts');
    const environment = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: `${model.url}/v1` };
    const service = await stage.startService({ databaseUrl, environment });
    const bare = await stage.startProgram('bare-server.ts', { DATABASE_URL: databaseUrl });
    const seeded = await seed({ service, databaseUrl }, scale.seed);
    const rows = [await measureGenerator(context, bare)];
    for (const request of reads) {
      context.progress(request.name);
      const ours = { url: `${service.url}/api/v1${request.path(seeded)}`, token: seeded.token };
      const baseline = { url: [bare.url, ...request.bare(seeded)].join('/'), token: seeded.token };
      const { limit } = request;
      rows.push({ ...(await measure(context, request.name, { ours, baseline })), ...(limit && { limit }) });
    }
    context.progress('POST /threads');
    const post = { method: 'POST', body: { text: 'Hello, what can you do?' } } as const;
    const ours = { ...post, url: `${service.url}/api/v1/threads`, token: seeded.token };
    const url = [bare.url, 'create', seeded.organizationId, seeded.userId].join('/');
    const baseline = { ...post, url, token: seeded.token };
    rows.push(
      await measure(context, 'POST /threads, with its response', { ours, baseline, settle: () => idle(databaseUrl) }),
    );
    return rows;
  },
};

interface Pair {
  ours: Question;
  baseline: Question;
  settle?: () => Promise<void>;
}

async function measure({ scale }: BenchContext, what: string, { ours, baseline, settle }: Pair): Promise<Row> {
  const comparison = await compare(ours, baseline, { ...scale.requests, ...(settle ? { settle } : {}) });
  return { what, ...comparedCells(comparison) };
}

/** What this process can ask of a server that does nothing: no figure of the table can be above it. */
async function measureGenerator({ scale, progress }: BenchContext, bare: Child): Promise<Row> {
  progress('the load generator');
  const { connections, roundMs } = scale.requests;
  const question = { url: `${bare.url}/nothing` };
  await load(question, { connections, durationMs: roundMs });
  const result = await load(question, { connections, durationMs: roundMs });
  return { what: 'the load generator alone', ours: '', baseline: rateCell(figuresOf([result])) };
}
