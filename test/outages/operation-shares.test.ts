/**
 * Slow operations of one user take no more connections than are theirs, and everybody else is answered meanwhile. Where they are so
 * many that each connection of their node is taken, the leases of its responses do not wait with them: otherwise a node that is
 * merely busy would lose its runs to another.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { allEvents } from '../graphql/responses/response-events.js';
import { joinTokens } from '../support/clients/sse.js';
import { waitsForLock } from '../support/database/waiting-statements.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { type Person, patientStatements, startTestService, type TestService } from '../support/service.js';
import { colleagueOf, newcomer } from '../support/threads.js';

const { databaseConnections: poolSize } = readConfig({});

/** The lease is longer than the test: what is looked at is whether it is renewed. */
const lease = { leaseMs: 300_000, heartbeatMs: 400, pollMs: 200, maxAttempts: 3, deadlineMs: 600_000 };
/** Each of its fields is a statement that waits for the lock. */
const fields = Array.from(
  { length: 25 },
  (_, n) => `f${n}: message(threadId: $threadId, id: $id) { myFeedback { positive } }`,
);
const slow = `query ($threadId: ID!, $id: ID!) { ${fields.join(' ')} }`;

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ settings: { lease, statementLimits: patientStatements } });
  ada = await newcomer(service);
});
afterAll(() => service.stop());

const waitingForLock = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE ${waitsForLock}`;

async function expectWaiting(count: number, reading = waitingForLock): Promise<void> {
  await expect.poll(() => service.sql(reading)).toEqual([{ count }]);
}

/** Somebody else's transaction, which has the table for itself until it is released. */
async function lockTable(name: string): Promise<() => Promise<unknown>> {
  const lock = new pg.Client({ connectionString: service.storage.url });
  await lock.connect();
  onTestFinished(() => lock.end());
  await lock.query(`BEGIN; LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
  return () => lock.query('ROLLBACK');
}

/** Waits until eight of the statements wait for the lock; a colleague and somebody else are answered, and no more wait then. */
async function expectEightWaiting(ask: (person: Person) => Promise<void>, person: Person, reading?: string) {
  await expectWaiting(8, reading);
  for (const other of [await colleagueOf(service, person), await newcomer(service)]) await ask(other);
  await expectWaiting(8, reading);
}

async function readAndSend({ rest }: Person): Promise<void> {
  expect((await rest.get('/threads')).status).toBe(200);
  expect((await rest.createThread({ text: 'Hi' })).threadId).toMatch(/^thr_/);
}

describe('what one user asks for while a table is locked holds eight connections, and keeps nobody else waiting', () => {
  it('forty requests', async () => {
    const [rated] = await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    const release = await lockTable('feedback');
    const path = `/threads/${rated?.thread_id}/messages/${rated?.id}/feedback`;
    const ratings = Array.from({ length: 40 }, () => ada.rest.post(path, { positive: true }));
    await expectEightWaiting(readAndSend, ada);
    await release();
    for (const { status } of await Promise.all(ratings)) expect([204, 503]).toContain(status);
  });

  it('ten operations of thirty fields, each of which is answered when the lock is gone', async () => {
    const eve = await newcomer(service);
    const [rated] = await eve.rest.answer(await eve.rest.createThread({ text: 'Hi' }));
    const release = await lockTable('feedback');
    const graphql = eve.graphql;
    const field = `thread(id: "${rated?.thread_id}") { messages(first: 1) { edges { node { myFeedback { positive } } } } }`;
    const query = `{ ${Array.from({ length: 30 }, (_, index) => `f${index}: ${field}`).join(' ')} }`;
    const operations = Array.from({ length: 10 }, () => graphql.run(query));
    await expectEightWaiting(readAndSend, eve);
    await release();
    for (const { body } of await Promise.all(operations)) {
      expect(body.errors).toBeUndefined();
      expect(Object.keys(body.data as object)).toHaveLength(30);
    }
  });

  it('forty streams that begin, twenty of either API', async () => {
    const eve = await newcomer(service);
    const graphql = eve.graphql;
    const sent = await eve.rest.createThread({ text: 'Hi' });
    const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    const events = () =>
      allEvents(graphql, sent).then(
        () => 200,
        () => 503,
      );
    const release = await lockTable('response');
    const streams = Array.from({ length: 20 }, () => [eve.rest.get(path).then(({ status }) => status), events()]);
    // The statement that streams read with: the worker waits for the same lock.
    const reading = `${waitingForLock} AND query LIKE '%AS "threadId", r.status::text AS status%'`;
    await expectEightWaiting(async ({ rest }) => expect((await rest.get('/me')).status).toBe(200), eve, reading);
    await release();
    for (const status of await Promise.all(streams.flat())) expect([200, 503]).toContain(status);
  });
});

/** Waits until the lease of a response has been renewed so many times. */
async function renewed(messageId: string, times: number): Promise<void> {
  const seen = new Set<string>();
  await vi.waitFor(
    async () => {
      const query = `SELECT lease_until::text AS until FROM response WHERE message_id = '${messageId}'`;
      const [lease] = (await service.sql(query)) as { until: string }[];
      seen.add(lease?.until ?? expect.fail('there is no such response'));
      expect(seen.size).toBeGreaterThan(times);
    },
    { timeout: 30_000 },
  );
}

describe('a node whose connections are all taken by slow requests', () => {
  it('renews the leases of its responses, whose viewers notice nothing', { timeout: 120_000 }, async () => {
    const [rated] = await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    const rest = gate();
    service.model.enqueue([text('Hel'), wait(rest.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'Go on' });
    const stream = await ada.rest.stream(sent);
    const seen = [(await stream.next()).value];

    const release = await lockTable('feedback');
    const graphql = ada.graphql;
    const answers = Array.from({ length: 6 }, () =>
      graphql.run({ query: slow, variables: { threadId: rated?.thread_id, id: rated?.id } }),
    );
    // One user's requests get a share of the connections; the rest of them is taken as many users would.
    const { database } = service;
    const others = Promise.allSettled(
      Array.from({ length: 3 * poolSize }, async () => {
        await database.$queryRaw`SELECT 1 FROM feedback LIMIT 1`;
      }),
    );
    await expectWaiting(poolSize);
    await renewed(sent.messageId, 3);
    await expectWaiting(poolSize);
    await release();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    await others;

    rest.open();
    for await (const event of stream) seen.push(event);
    const { attempt } = await database.response.findUniqueOrThrow({ where: { messageId: sent.messageId } });
    expect({ attempt, end: seen.at(-1)?.event, text: joinTokens(seen) }).toEqual({
      attempt: 1,
      end: 'done',
      text: 'Hello',
    });
  });
});
