/** What is unread: for each person alone, by how far they have read. */
import { describe, expect } from 'vitest';
import { overlapped } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceTest({ settings: { statementLimits: patientStatements } });

const mark = `mutation ($input: MarkThreadReadInput!) { outcome: markThreadRead(input: $input) {
  __typename ... on Error { code message } ... on Thread { id isUnread } } }`;

/** Marks the thread as read up to the message. */
async function read(reader: Person, input: { threadId: string; messageId: string }) {
  return (await reader.graphql.data(mark, { input })).outcome;
}

/** Whether the thread is unread to the reader, by each way to it. */
async function unreadTo(reader: Person, threadId: string): Promise<boolean[]> {
  const { thread, threads } = await reader.graphql.data(
    'query ($id: ID!) { thread(id: $id) { isUnread } threads(first: 50) { edges { node { id isUnread } } } }',
    { id: threadId },
  );
  const listed = threads.edges.filter(({ node }) => node.id === threadId);
  return [thread.isUnread, ...listed.map(({ node }) => node.isUnread)];
}

/** A thread of Ada with a question and its answer, which Bob sees too. */
async function answeredThread(service: TestService) {
  const ada = await newcomer(service);
  const bob = await colleagueOf(service, ada);
  const sent = await ada.rest.createThread({ text: 'A question' });
  const [answer] = await ada.rest.answer(sent);
  return { ada, bob, threadId: sent.threadId, questionId: sent.messageId, answerId: answer?.id ?? '' };
}

describe('Thread.isUnread', () => {
  it('is false for a thread that one has never marked as read, one’s own or not', async ({ service }) => {
    const { ada, bob, threadId } = await answeredThread(service);
    expect(await unreadTo(ada, threadId)).toEqual([false, false]);
    expect(await unreadTo(bob, threadId)).toEqual([false, false]);
  });

  it('is true from the next message until that is marked as read, for each person alone', async ({ service }) => {
    const { ada, bob, threadId, answerId } = await answeredThread(service);
    for (const reader of [ada, bob]) {
      expect(await read(reader, { threadId, messageId: answerId })).toEqual({
        ...{ __typename: 'Thread', id: threadId, isUnread: false },
      });
    }
    const [next] = await ada.rest.answer(await ada.rest.send(threadId, 'And now?'));
    expect(await unreadTo(ada, threadId)).toEqual([true, true]);
    await read(ada, { threadId, messageId: next?.id ?? '' });
    expect(await unreadTo(ada, threadId)).toEqual([false, false]);
    expect(await unreadTo(bob, threadId)).toEqual([true, true]);
  });

  it('is not changed by a new name', async ({ service }) => {
    const { ada, threadId, answerId } = await answeredThread(service);
    await read(ada, { threadId, messageId: answerId });
    const rename = 'mutation ($id: ID!) { renameThread(input: {id: $id, name: "Tea"}) { ... on Thread { isUnread } } }';
    expect(await ada.graphql.data(rename, { id: threadId })).toEqual({ renameThread: { isUnread: false } });
  });
});

describe('markThreadRead', () => {
  it('never goes back: an earlier message changes nothing', async ({ service }) => {
    const { ada, threadId, questionId, answerId } = await answeredThread(service);
    await read(ada, { threadId, messageId: answerId });
    expect(await read(ada, { threadId, messageId: questionId })).toMatchObject({ isUnread: false });
  });

  it('keeps the later of two messages that are marked in the same moment', async ({ service, database }) => {
    const { ada, threadId, questionId, answerId } = await answeredThread(service);
    await read(ada, { threadId, messageId: questionId });
    await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM read_position WHERE thread_id = ${threadId} FOR UPDATE` },
      ...[answerId, questionId].map((messageId) => () => read(ada, { threadId, messageId })),
    );
    expect(await unreadTo(ada, threadId)).toEqual([false, false]);
  });

  it('refuses a message of another thread, and one that the viewer may not see', async ({ service }) => {
    const { ada, bob, threadId, answerId } = await answeredThread(service);
    const other = await addThread(service, ada);
    const hidden = await ada.rest.readyThread({ text: 'Mine', is_private: true });
    for (const input of [{ threadId: other, messageId: answerId }, hidden, { threadId, messageId: 'msg_unknown' }]) {
      expect(await read(bob, input)).toEqual({
        ...{ __typename: 'NotFoundError', code: 'NOT_FOUND', message: expect.any(String) },
      });
    }
    expect(await service.database.readPosition.count({ where: { userId: bob.id } })).toBe(0);
  });
});
