/**
 * How many SQL statements a request costs, counted where they leave the process: at the driver of the service's own pool.
 * The numbers are constants, whatever there is to read, so a list that loads its items one by one is noticed here.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { numbered, storeMessages } from '../rest/stored-messages.js';
import { GraphQLClient } from '../support/graphql-client.js';
import type { PageBody } from '../support/rest-types.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { addThread, addThreads } from '../support/threads.js';

const never = 86_400_000;
/** A worker that takes nothing and never looks, so that every statement is one of the request. */
const idleWorker = {
  concurrency: 0,
  lease: { leaseMs: 3000, heartbeatMs: never, pollMs: never, maxAttempts: 3, deadlineMs: never },
};

let service: TestService;
let ada: Person;
let sent: MockInstance;
beforeAll(async () => {
  service = await startTestService({ settings: idleWorker });
});
afterAll(() => service.stop());

let organizations = 0;

/** A new user in a new organization, whose token has been used already, since its first use is a statement more. */
beforeEach(async () => {
  organizations += 1;
  ada = await service.person({ org: `organization-${organizations}` });
  await ada.rest.get('/me');
  sent = vi.spyOn(pg.Client.prototype, 'query');
});
afterEach(() => sent.mockRestore());

/** Expects so many statements of the service's pool during `work`. A failure shows them. */
async function expectStatements(count: number, work: () => Promise<unknown>): Promise<void> {
  sent.mockClear();
  await work();
  const statements = sent.mock.calls.flatMap(([statement], index) => {
    const client = sent.mock.contexts[index] as { connectionParameters: { application_name: string } };
    if (!client.connectionParameters.application_name.includes(`${process.pid}@`)) return [];
    const sql = typeof statement === 'string' ? statement : (statement as { text: string }).text;
    return [sql.replaceAll(/\s+/g, ' ').trim()];
  });
  expect(statements, statements.join('\n')).toHaveLength(count);
}

async function getsPage(path: string, length: number): Promise<void> {
  const { status, body } = await ada.rest.get<PageBody<unknown>>(path);
  expect([status, body.data.length]).toEqual([200, length]);
}

async function gets(path: string, status = 200): Promise<void> {
  expect((await ada.rest.get(path)).status).toBe(status);
}

async function threadWith(messages: number): Promise<string> {
  const threadId = await addThread(service, ada);
  await storeMessages(service, threadId, numbered(messages));
  return threadId;
}

describe('statements of a request, with the one that authenticates', () => {
  it('GET /me: 1', async () => {
    await expectStatements(1, () => gets('/me'));
  });

  it.each([1, 50])('GET /threads: 5 in every order, with %i threads', async (count) => {
    await addThreads(service, ada, Array<object>(count).fill({}));
    // Authentication, the page of ids, the place of its last thread (remembered), the threads, their owners.
    await expectStatements(5, () => getsPage('/threads', count));
    await expectStatements(5, () => getsPage('/threads?sort_by=created_at&sort_dir=asc', count));
  });

  it('GET /threads/{thread-id}: 3', async () => {
    const threadId = await threadWith(1);
    await expectStatements(3, () => gets(`/threads/${threadId}`));
  });

  it.each([1, 50])('GET /threads/{thread-id}/messages: 3, with %i messages', async (count) => {
    const threadId = await threadWith(count);
    await expectStatements(3, () => getsPage(`/threads/${threadId}/messages`, count));
  });

  it.each([1, 50])('POST /threads/{thread-id}/messages: 2, after %i messages', async (count) => {
    const threadId = await threadWith(count);
    await expectStatements(2, () => ada.rest.send(threadId, 'Hi'));
  });

  it('POST /threads: 2', async () => {
    await expectStatements(2, () => ada.rest.createThread({ text: 'Hi' }));
  });

  it('GET …/response: 4 while it is processed', async () => {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
    await expectStatements(4, () => gets(`/threads/${threadId}/messages/${messageId}/response`, 202));
  });

  it.each([1, 50])('GET …/response: 4, complete with %i messages', async (count) => {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
    await completeWith(messageId, count);
    await expectStatements(4, () => gets(`/threads/${threadId}/messages/${messageId}/response`));
  });

  it('a thread with its messages in one operation of GraphQL: 4', async () => {
    const threadId = await threadWith(50);
    const graphql = new GraphQLClient({ origin: service.url, token: ada.token });
    const query =
      'query ($id: ID!) { thread(id: $id) { name owner { name } messages { edges { node { id contents { __typename } } } } } }';
    await expectStatements(4, () => graphql.data(query, { id: threadId }));
  });
});

/** Stores an answer of several messages, as a worker would. */
async function completeWith(messageId: string, count: number): Promise<void> {
  const { database } = service.service;
  const { threadId } = await database.response.findUniqueOrThrow({ where: { messageId } });
  await database.$executeRaw`UPDATE response SET status = 'running', lease_until = now() WHERE message_id = ${messageId}`;
  await database.$executeRaw`
    UPDATE response SET status = 'succeeded', lease_until = NULL, finished_at = now() WHERE message_id = ${messageId}`;
  const ids = await storeMessages(
    service,
    threadId,
    numbered(count).map((message) => ({ ...message, role: 'assistant' })),
  );
  for (const [position, id] of ids.entries()) {
    await database.message.update({ where: { id }, data: { replyToId: messageId, position } });
  }
}
