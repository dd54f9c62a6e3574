/** Slow operations of one user take no more connections than are theirs, and everybody else is answered meanwhile. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
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

describe('forty requests of one user that wait for a lock', () => {
  it('hold eight connections, and keep neither a colleague nor another organization waiting', async () => {
    const [rated] = await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    const others = [await colleagueOf(service, ada), await newcomer(service)];
    const lock = new pg.Client({ connectionString: service.storage.url });
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query('BEGIN; LOCK TABLE feedback IN ACCESS EXCLUSIVE MODE');
    const path = `/threads/${rated?.thread_id}/messages/${rated?.id}/feedback`;
    const settled = vi.fn();
    const ratings = Array.from({ length: 40 }, () =>
      ada.rest.post(path, { positive: true }).then(({ status }) => {
        settled();
        return status;
      }),
    );
    await expectWaiting(8);
    for (const person of others) {
      expect((await person.rest.get('/threads')).status).toBe(200);
      expect((await person.rest.createThread({ text: 'Hi' })).threadId).toMatch(/^thr_/);
    }
    await expectWaiting(8);
    await lock.query('ROLLBACK');
    for (const status of await Promise.all(ratings)) expect([204, 503]).toContain(status);
  });
});

describe('operations of thirty fields that wait for a lock', () => {
  it('hold eight connections of their user together, and every field is answered when the lock is gone', async () => {
    const eve = await newcomer(service);
    const [rated] = await eve.rest.answer(await eve.rest.createThread({ text: 'Hi' }));
    const others = [await colleagueOf(service, eve), await newcomer(service)];
    const lock = new pg.Client({ connectionString: service.storage.url });
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query('BEGIN; LOCK TABLE feedback IN ACCESS EXCLUSIVE MODE');
    const graphql = new GraphQLClient({ origin: service.url, token: eve.token });
    const field = `thread(id: "${rated?.thread_id}") { messages(first: 1) { edges { node { myFeedback { positive } } } } }`;
    const query = `{ ${Array.from({ length: 30 }, (_, index) => `f${index}: ${field}`).join(' ')} }`;
    const operations = [graphql.run(query), graphql.run(query)];
    await expectWaiting(8);
    for (const person of others) {
      expect((await person.rest.get('/threads')).status).toBe(200);
      expect((await person.rest.createThread({ text: 'Hi' })).threadId).toMatch(/^thr_/);
    }
    await expectWaiting(8);
    await lock.query('ROLLBACK');
    for (const { body } of await Promise.all(operations)) {
      expect(body.errors).toBeUndefined();
      expect(Object.keys(body.data as object)).toHaveLength(30);
    }
  });
});

describe('forty streams of one user that begin while a table cannot be read', () => {
  type Stream = (person: Person, sent: { threadId: string; messageId: string }) => Promise<number>;
  const ways: [string, Stream][] = [
    [
      'REST',
      async ({ rest }, { threadId, messageId }) =>
        (await rest.get(`/threads/${threadId}/messages/${messageId}/response/stream`)).status,
    ],
    [
      'GraphQL',
      ({ token }, sent) =>
        allEvents(new GraphQLClient({ origin: service.url, token }), sent).then(
          () => 200,
          () => 503,
        ),
    ],
  ];

  it.each(ways)('hold eight connections, and keep nobody else waiting: %s', async (_name, stream) => {
    const eve = await newcomer(service);
    const sent = await eve.rest.createThread({ text: 'Hi' });
    const others = [await colleagueOf(service, eve), await newcomer(service)];
    const lock = new pg.Client({ connectionString: service.storage.url });
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query('BEGIN; LOCK TABLE response IN ACCESS EXCLUSIVE MODE');
    const streams = Array.from({ length: 40 }, () => stream(eve, sent));
    // The statement that streams read with: the worker waits for the same lock.
    const reading = `${waitingForLock} AND query LIKE '%AS "threadId", r.status::text AS status%'`;
    await expectWaiting(8, reading);
    for (const person of others) expect((await person.rest.get('/me')).status).toBe(200);
    await expectWaiting(8, reading);
    await lock.query('ROLLBACK');
    for (const status of await Promise.all(streams)) expect([200, 503]).toContain(status);
  });
});
