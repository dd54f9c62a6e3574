/** Slow operations of one user take no more connections than are theirs, and everybody else is answered meanwhile. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allEvents } from '../graphql/responses/response-events.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { waitsForLock } from '../support/database/waiting-statements.js';
import { runSql } from '../support/server.js';
import { type Person, patientStatements, startTestService, type TestService } from '../support/service.js';
import { colleagueOf, newcomer } from '../support/threads.js';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ settings: { statementLimits: patientStatements } });
  ada = await newcomer(service);
});
afterAll(() => service.stop());

const waitingForLock = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE ${waitsForLock}`;

async function expectWaiting(count: number, reading = waitingForLock): Promise<void> {
  await expect.poll(() => runSql(service.storage.url, reading)).toEqual([{ count }]);
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
    const graphql = new GraphQLClient({ origin: service.url, token: eve.token });
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
    const graphql = new GraphQLClient({ origin: service.url, token: eve.token });
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
