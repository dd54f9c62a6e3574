/**
 * Requests that are slow, and so many that each connection of their node is taken and more wait for one. The leases of its
 * responses must not wait with them: otherwise a node that is merely busy would lose its runs to another.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { joinTokens } from '../support/clients/sse.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { runSql } from '../support/server.js';
import { type Person, patientStatements, startTestService, type TestService } from '../support/service.js';

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
  ada = await service.person();
});
afterAll(() => service.stop());

/** Somebody else's transaction, which has the table of ratings for itself. */
async function lockRatings(): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE feedback IN ACCESS EXCLUSIVE MODE');
  onTestFinished(() => client.end());
  return { release: async () => void (await client.query('ROLLBACK')) };
}

const waitingForLock =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Waits until the lease of a response has been renewed so many times. */
async function renewed(messageId: string, times: number): Promise<void> {
  const seen = new Set<string>();
  await vi.waitFor(
    async () => {
      const query = `SELECT lease_until::text AS until FROM response WHERE message_id = '${messageId}'`;
      const [lease] = (await runSql(service.storage.url, query)) as { until: string }[];
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

    const lock = await lockRatings();
    const graphql = new GraphQLClient({ origin: service.url, token: ada.token });
    const answers = Array.from({ length: 6 }, () =>
      graphql.run({ query: slow, variables: { threadId: rated?.thread_id, id: rated?.id } }),
    );
    // One user's requests get a share of the connections; the rest of them is taken as many users would.
    const { database } = service.service;
    const others = Promise.allSettled(
      Array.from({ length: 3 * poolSize }, async () => {
        await database.$queryRaw`SELECT 1 FROM feedback LIMIT 1`;
      }),
    );
    const areAllWaiting = async () =>
      expect(await runSql(service.storage.url, waitingForLock)).toEqual([{ count: poolSize }]);
    await vi.waitFor(areAllWaiting, { timeout: 30_000 });
    await renewed(sent.messageId, 3);
    await areAllWaiting();
    await lock.release();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    await others;

    rest.open();
    for await (const event of stream) seen.push(event);
    const { attempt } = await database.response.findUniqueOrThrow({
      where: { messageId: sent.messageId },
    });
    expect({ attempt, end: seen.at(-1)?.event, text: joinTokens(seen) }).toEqual({
      attempt: 1,
      end: 'done',
      text: 'Hello',
    });
  });
});
