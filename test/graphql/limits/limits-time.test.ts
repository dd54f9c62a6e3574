/** How long an operation may run: past that its caller is answered, and nothing more of it is asked of the database. */
import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { patientStatements } from '../../support/service.js';
import { addThread, newcomer } from '../../support/threads.js';
import { StreamClient } from '../streams/stream-client.js';

const it = serviceTest({
  settings: {
    concurrency: 0,
    statementLimits: patientStatements,
    graphql: { executionMs: { query: 500, mutation: 800 } },
  },
}).extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) => addThread(service, ada));

/** Runs `work` while nobody else can read a table. */
async function whileLocked<Result>(service: TestService, table: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await client.end();
  }
}

const nested = `{ thread(id: "ID") { id messages { edges { node { id contents { __typename } } } } } }`;

describe('an operation that takes too long', () => {
  it('is ended, with a code that names the limit', async ({ service, graphql, threadId }) => {
    const accept = 'application/graphql-response+json';
    const query = nested.replace('ID', threadId);
    const { status, headers, body } = await whileLocked(service, 'message', () => graphql.run(query, { accept }));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body.data ?? null).toBeNull();
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringContaining('0.5 s'),
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'time', maximum: 500 },
    });
  });

  it('is ended on the stream and in REST as well', async ({ service, ada, threadId }) => {
    const path = `/threads/${threadId}/messages`;
    const [stream, rest] = await whileLocked(service, 'message', async () => {
      const opened = await new StreamClient(service.url, ada.token).open({
        method: 'POST',
        body: { query: nested.replace('ID', threadId) },
      });
      const [reply] = await Promise.all([ada.rest.get(path), opened.end]);
      return [opened, reply];
    });
    expect(stream.messages[0]?.payload?.errors?.[0]?.extensions).toMatchObject({ limit: 'time' });
    expect([rest.status, rest.body.code, rest.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  });

  it('does nothing more, not even when the database answers again', async ({ service, graphql, threadId }) => {
    const query = `mutation {
      a: resumeThread(id: "${threadId}") { __typename }
      b: createThread(input: {text: "Hi"}) { __typename }
    }`;
    const before = await service.database.thread.count();
    await whileLocked(service, 'thread', async () => {
      const answer = graphql.run(query);
      await vi.waitFor(async () => expect(await waitingStatements(service.database)).toBeGreaterThan(0), {
        timeout: 20_000,
      });
      const { errors } = (await answer).body;
      expect(errors?.[0]?.extensions).toMatchObject({ limit: 'time', maximum: 800 });
    });
    await vi.waitFor(async () => expect(await waitingStatements(service.database)).toBe(0), { timeout: 10_000 });
    // What would follow has had its turn when others, sent later, have come to their end.
    for (let count = 0; count < 5; count += 1) await graphql.run(nested.replace('ID', threadId));
    expect(await service.database.thread.count()).toBe(before);
  });
});

describe('a mutation that waits for a lock beyond its time', () => {
  /** What is stored of a thread of this name, and the answers to a request under one key. */
  const creation = (
    name: string,
  ) => `mutation { createThread(input: {text: "Hi", name: "${name}", idempotencyKey: "${name}"}) {
    ... on PostedMessage { threadId replayed } } }`;
  const stored = (service: TestService, name: string) =>
    service.database.thread.findMany({ where: { name }, select: { id: true } });

  it('is answered while its statement waits, and counts until that has ended', async ({ service, ada }) => {
    const eve = await newcomer(service);
    const settled = vi.fn();
    const others: Promise<unknown>[] = [];
    await whileLocked(service, 'thread', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => eve.graphql.run(creation(`late ${n}`))));
      for (const { body } of answers) expect(body.errors?.[0]?.extensions).toMatchObject({ limit: 'time' });
      expect(await waitingStatements(service.database), 'all of them wait').toBe(8);
      others.push(eve.graphql.run('{ me { sub } }').then(settled));
      // Sent later, and answered: the other would have been by then.
      for (let n = 0; n < 10; n += 1) expect((await ada.rest.get('/me')).status).toBe(200);
      expect(settled, 'a ninth operation of the same user').not.toHaveBeenCalled();
      expect(await waitingStatements(service.database)).toBe(8);
    });
    await Promise.all(others);
  });

  it('is carried out completely and once: a retry with its key gets its outcome', async ({ service, graphql }) => {
    const name = 'once';
    await whileLocked(service, 'thread', async () => {
      expect((await graphql.run(creation(name))).body.errors?.[0]?.extensions).toMatchObject({ limit: 'time' });
      expect(await waitingStatements(service.database)).toBe(1);
    });
    await vi.waitFor(async () => expect(await waitingStatements(service.database)).toBe(0), { timeout: 10_000 });
    await vi.waitFor(async () => expect(await stored(service, name)).toHaveLength(1), { timeout: 10_000 });
    const [thread] = await stored(service, name);
    expect(await graphql.data(creation(name))).toEqual({ createThread: { threadId: thread?.id, replayed: true } });
    expect(await stored(service, name)).toHaveLength(1);
  });
});
