/**
 * How many SQL statements a request costs, counted where they leave the process: at the driver of the service's own pool.
 * The numbers are constants, whatever there is to read, so a list that loads its items one by one is noticed here.
 */
import { describe, expect } from 'vitest';
import { signedIn } from '../../auth/people.js';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { PageBody } from '../../support/clients/rest-types.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import type { TestService } from '../../support/service.js';
import { addThread, addThreads, newcomer } from '../../support/threads.js';
import { catchUp, presentCursor } from '../feeds/threads-feed.js';
import { quietTest } from './statement-log.js';

const it = quietTest
  .extend('gets', ({ ada }) => async (path: string, status = 200) => {
    expect((await ada.rest.get(path)).status).toBe(status);
  })
  .extend('getsPage', ({ ada }) => async (path: string, length: number) => {
    const { status, body } = await ada.rest.get<PageBody<unknown>>(path);
    expect([status, body.data.length]).toEqual([200, length]);
  })
  .extend('threadWith', ({ service, ada }) => async (messages: number) => {
    const threadId = await addThread(service, ada);
    await storeMessages(service, threadId, numbered(messages));
    return threadId;
  })
  .extend('one', { scope: 'file' }, ({ service }) => searcher(service, 1))
  .extend('fifty', { scope: 'file' }, ({ service }) => searcher(service, 50));

describe('statements of a request, without the lookup of its token', () => {
  it('GET /me: 0', async ({ costs, gets }) => {
    await costs(0, () => gets('/me'));
  });

  it.for([1, 50])(
    'GET /threads: 2 in every order, %i threads; 1 if none moves',
    async (count, { service, ada, costs, getsPage }) => {
      const createdAt = new Date(Date.now() - 3_600_000);
      await addThreads(service, ada, Array<object>(count).fill({ createdAt, updatedAt: createdAt }));
      for (const path of ['/threads', '/threads?sort_by=created_at&sort_dir=asc']) {
        // The page of threads with their owners, the place of its last thread (remembered).
        await costs(2, () => getsPage(path, count));
        await costs(1, () => getsPage(path, count));
      }
    },
  );

  it('GET /threads/{thread-id}: 1', async ({ costs, gets, threadWith }) => {
    const threadId = await threadWith(1);
    await costs(1, () => gets(`/threads/${threadId}`));
  });

  it.for([1, 50])('GET /threads/{id}/messages: 1, with %i messages', async (count, { costs, getsPage, threadWith }) => {
    const threadId = await threadWith(count);
    await costs(1, () => getsPage(`/threads/${threadId}/messages`, count));
  });

  it('GET /threads/{thread-id}/messages: 3, on a later page', async ({ ada, costs, getsPage, threadWith }) => {
    const threadId = await threadWith(50);
    const { body } = await ada.rest.get<PageBody<unknown>>(`/threads/${threadId}/messages?limit=20`);
    // The thread, the position of the message that `after` names, the page.
    await costs(3, () => getsPage(`/threads/${threadId}/messages?limit=20&after=${body.last_id}`, 20));
  });

  it.for([1, 50])('POST /threads/{id}/messages: 1, after %i messages', async (count, { ada, costs, threadWith }) => {
    const threadId = await threadWith(count);
    await costs(1, () => ada.rest.send(threadId, 'Hi'));
  });

  it('POST /threads: 1', async ({ ada, costs }) => {
    await costs(1, () => ada.rest.createThread({ text: 'Hi' }));
  });

  it('GET …/response: 1 while it is processed', async ({ ada, costs, gets }) => {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
    await costs(1, () => gets(`/threads/${threadId}/messages/${messageId}/response`, 202));
  });

  it.for([1, 50])('GET …/response: 1, complete with %i messages', async (count, { service, ada, costs, gets }) => {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
    await completeWith(service, messageId, count);
    await costs(1, () => gets(`/threads/${threadId}/messages/${messageId}/response`));
  });
});

describe('statements of an operation of GraphQL, without the lookup of its token', () => {
  it.for([
    ['archiveThread(id: $id)', 2],
    // Nothing is to be changed: who owns the thread is asked instead.
    ['unarchiveThread(id: $id)', 3],
    ['renameThread(input: {id: $id, name: "Rome"})', 2],
    ['setThreadPrivacy(input: {id: $id, isPrivate: true})', 2],
  ] as const)('%s: %i', async ([mutation, count], { service, ada, costs }) => {
    const id = await addThread(service, ada);
    const query = `mutation ($id: ID!) { ${mutation} { ... on Thread { name owner { name } } ... on Error { code } } }`;
    await costs(count, () => ada.graphql.data<string>(query, { id }));
  });

  it.for([1, 50])('archiveThreads: 1, for %i threads', async (count, { service, ada, costs }) => {
    const ids = await addThreads(service, ada, Array<object>(count).fill({}));
    const query = 'mutation ($ids: [ID!]!) { archiveThreads(ids: $ids) { __typename } }';
    await costs(1, () => ada.graphql.data<string>(query, { ids }));
  });

  it.for([1, 50])('continueThread: 4, after %i messages', async (count, { ada, costs, threadWith }) => {
    const id = await threadWith(count);
    const query = 'mutation ($id: ID!) { continueThread(input: {threadId: $id, text: "Hi"}) { __typename } }';
    // The thread, its first message, its newest ones, and the new thread.
    await costs(4, () => ada.graphql.data<string>(query, { id }));
  });

  it.for([1, 50])('threadsChanged: 3, after %i threads have changed', async (count, { service, ada, costs }) => {
    const cursor = await presentCursor(ada.graphql);
    await addThreads(service, ada, Array<object>(count).fill({}));
    // The history of the database, which threads have changed, the threads with their owners.
    await costs(3, () => catchUp(ada.graphql, cursor));
  });

  it.for([1, 50])(
    'dataExport: 15, with %i threads and messages',
    async (count, { service, ada, costs, threadWith }) => {
      await addThreads(service, ada, Array<object>(count - 1).fill({}));
      await threadWith(count);
      const browser = await signedIn(service, ada);
      const query = `query ($after: String) { dataExport(first: 200, after: $after) { records { line } } }`;
      const page = async (after: string | null) => (await browser.graphql(query, { after })).dataExport.records;
      // The session, the entry of the audit log, each of twelve lists, what the messages say.
      await costs(15, async () => expect(await page(null)).toHaveLength(3 + 2 * count));
      // A first page that ends with the first thread.
      const { dataExport } = await browser.graphql('{ dataExport(first: 4) { cursor } }');
      // The session, the entry, the lists from threads on, what the messages say.
      await costs(11, async () => expect(await page(dataExport.cursor)).toHaveLength(2 * count - 1));
    },
  );

  it('answerChoice: 1 if there is no question', async ({ ada, costs, threadWith }) => {
    const id = await threadWith(1);
    const query =
      'mutation ($id: ID!) { answerChoice(input: {threadId: $id, toolUseId: "1", choice: "Tea"}) { __typename } }';
    await costs(1, () => ada.graphql.data<string>(query, { id }));
  });

  it('node: 1 for every type', async ({ database, ada, costs, threadWith }) => {
    const thread = await threadWith(1);
    const message = await database.message.findFirstOrThrow({ where: { threadId: thread } });
    const token = await database.accessToken.findFirstOrThrow({ where: { userId: ada.id } });
    const query = `query ($id: ID!) { node(id: $id) {
      id ... on Thread { name owner { name } } ... on Message { role } ... on AccessToken { lastFour } } }`;
    for (const id of [thread, message.id, token.id]) await costs(1, () => ada.graphql.data<string>(query, { id }));
  });

  it.for([1, 50])('threads with those that they continue: 2, with %i', async (count, { service, ada, costs }) => {
    const [continuedFromId = ''] = await addThreads(service, ada, Array<object>(count).fill({}));
    await service.database.thread.updateMany({
      where: { ownerId: ada.id, NOT: { id: continuedFromId } },
      data: { continuedFromId },
    });
    const query = '{ threads { edges { node { continuedFrom { name } continuedIn { name owner { name } } } } } }';
    await costs(2, () => ada.graphql.data<string>(query));
  });
});

/** Stores an answer of several messages, as a worker would. */
async function completeWith(service: TestService, messageId: string, count: number): Promise<void> {
  const { database } = service;
  const { threadId } = await database.response.findUniqueOrThrow({ where: { messageId } });
  await allowImpossiblePairs(service.storage.url);
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

/** Somebody with so many threads in which a message says "2", whose token has been used already. */
async function searcher(service: TestService, count: number): Promise<GraphQLClient> {
  const person = await newcomer(service);
  const ids = await addThreads(service, person, Array<object>(count).fill({ name: 'Trip' }));
  await Promise.all(ids.map((id) => storeMessages(service, id, numbered(2))));
  await person.graphql.data('{ me { sub } }');
  return person.graphql;
}

// Where a search has found the threads of a page is one statement more, if that is asked for, however many there are.
describe('statements of a search, without the lookup of the token', () => {
  it.for([
    // The page of ids, and the threads.
    ['node { name }', 2],
    // And where all of them were found, however often and whatever part of it is asked for.
    ['node { name } match { snippet }', 3],
    ['match { snippet parts { text } message { id threadId } }', 3],
    ['a: match { snippet } b: match { parts { isHit } message { id } }', 3],
    // And the messages.
    // Contents have a statement of their own, which counts their bytes.
    ['match { message { role contents { ... on TextBlock { text } } } }', 5],
    ['match { message { role myFeedback { positive } response { __typename } } }', 4],
    ['match { message { id } } b: match { message { role } }', 4],
  ] as const)('%s: %i, with one thread and with fifty', async ([inside, count], { one, fifty, costs }) => {
    const operation = (q: string) => `{ threads(filter: {q: "${q}"}) { edges { cursor ${inside} } } }`;
    for (const [client, length] of [
      [one, 1],
      [fifty, 50],
    ] as const) {
      await costs(count, async () => {
        const data = await client.data(operation('2'));
        expect(data).toHaveProperty('threads.edges.length', length);
        expect(JSON.stringify(data)).not.toMatch(/"(match|message|a|b)":null/);
      });
    }
  });

  it('1 without a search', async ({ fifty, costs }) => {
    await costs(1, () => fifty.data('{ threads(filter: {q: " "}) { edges { match { snippet } } } }'));
  });
});
