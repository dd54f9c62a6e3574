/**
 * What each person keeps of a thread alone, without a change of it: whether it is pinned, and how far they have read. And what they want new
 * threads to be, which is kept for front ends and never applied to a request that does not ask for it.
 */
import { describe, expect } from 'vitest';
import { maximumPins } from '../../../src/contract.js';
import { answeredMessage } from '../../rest/messages/answered-message.js';
import { overlapped } from '../../support/database/waiting-statements.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';

const it = newcomersTest({ settings: { statementLimits: patientStatements } });

const outcome = '__typename ... on Thread { id isPinned } ... on Error { code message }';
const operations = {
  pin: `mutation ($id: ID!) { outcome: pinThread(id: $id) { ${outcome} } }`,
  unpin: `mutation ($id: ID!) { outcome: unpinThread(id: $id) { ${outcome} } }`,
} as const;

async function run({ graphql }: Person, what: keyof typeof operations, id: string) {
  return (await graphql.data(operations[what], { id })).outcome;
}

/** The ids of the threads that the filter finds, newest first. */
async function listed({ graphql }: Person, pinned: boolean): Promise<string[]> {
  const document =
    'query ($pinned: Boolean!) { threads(filter: {pinned: $pinned}, first: 100) { edges { node { id isPinned } } } }';
  const { threads } = await graphql.data(document, { pinned });
  for (const { node } of threads.edges) expect(node.isPinned).toBe(pinned);
  return threads.edges.map(({ node }: { node: { id: string } }) => node.id);
}

const now = Date.now();
const seeds = (count: number) => Array.from({ length: count }, (_, age) => ({ createdAt: new Date(now - age * 1000) }));

describe('pinThread and unpinThread', () => {
  it('pin and unpin for one person alone, any thread, any number of times', async ({ service, ada, bob }) => {
    const [first = '', second = '', third = ''] = await addThreads(service, ada, seeds(3));
    for (const id of [second, first, second]) {
      expect(await run(bob, 'pin', id)).toEqual({ __typename: 'Thread', id, isPinned: true });
    }
    expect(await listed(bob, true)).toEqual([first, second]);
    expect(await listed(bob, false)).toEqual([third]);
    expect(await listed(ada, true)).toEqual([]);
    for (const _ of [1, 2]) {
      expect(await run(bob, 'unpin', first)).toEqual({ __typename: 'Thread', id: first, isPinned: false });
    }
    expect(await listed(bob, true)).toEqual([second]);
  });

  it('leave the thread as it is', async ({ service, ada, database }) => {
    const id = await addThread(service, ada);
    const before = await database.thread.findUniqueOrThrow({ where: { id } });
    await run(ada, 'pin', id);
    await run(ada, 'unpin', id);
    expect(await database.thread.findUniqueOrThrow({ where: { id } })).toEqual(before);
  });
});

describe('a pinned thread', () => {
  it('that becomes private is no longer listed, and is pinned again when it is shared again', async ({ service }) => {
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    const id = await addThread(service, ada);
    await run(bob, 'pin', id);
    const { database } = service;
    await database.thread.update({ where: { id }, data: { isPrivate: true } });
    expect(await listed(bob, true)).toEqual([]);
    await database.thread.update({ where: { id }, data: { isPrivate: false } });
    expect(await listed(bob, true)).toEqual([id]);
  });
});

describe(`the limit of ${maximumPins} pinned threads`, () => {
  it('refuses one more, says what to do, and still takes one that is pinned already', async ({ service, ada }) => {
    const ids = await addThreads(service, ada, seeds(maximumPins + 1));
    await pinned(service, ada, ids.slice(0, maximumPins));
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    expect(await run(ada, 'pin', last)).toEqual({
      __typename: 'InvalidInputError',
      code: 'INVALID_INPUT',
      message: 'id: you have pinned 50 threads, and cannot pin more; unpin one first',
    });
    expect(await run(ada, 'pin', first)).toMatchObject({ isPinned: true });
    await run(ada, 'unpin', first);
    expect(await run(ada, 'pin', last)).toMatchObject({ isPinned: true });
  });

  it('counts no thread that its owner has hidden', async ({ service, ada, bob }) => {
    const ids = await addThreads(service, ada, seeds(maximumPins + 1));
    await pinned(service, bob, ids.slice(0, maximumPins));
    await service.database.thread.update({ where: { id: ids[0] ?? '' }, data: { isPrivate: true } });
    expect(await run(bob, 'pin', ids.at(-1) ?? '')).toMatchObject({ isPinned: true });
  });

  it('holds for two pins in the same moment', async ({ service, ada, database }) => {
    const ids = await addThreads(service, ada, seeds(maximumPins + 1));
    await pinned(service, ada, ids.slice(0, maximumPins - 1));
    const pins = await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM user_account WHERE id = ${ada.id} FOR UPDATE` },
      ...ids.slice(-2).map((id) => () => run(ada, 'pin', id)),
    );
    const types = pins.map(({ __typename }) => __typename).sort();
    expect(types).toEqual(['InvalidInputError', 'Thread']);
    expect(await database.threadPin.count({ where: { userId: ada.id } })).toBe(maximumPins);
  });
});

async function pinned(service: TestService, { id: userId }: Person, ids: readonly string[]): Promise<void> {
  const data = ids.map((threadId) => ({ userId, threadId, pinnedAt: new Date() }));
  await service.database.threadPin.createMany({ data });
}

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

describe('Thread.isUnread', () => {
  it('is false for a thread that one has never marked as read, one’s own or not', async ({ ada, bob }) => {
    const { threadId } = await answeredMessage(ada);
    expect(await unreadTo(ada, threadId)).toEqual([false, false]);
    expect(await unreadTo(bob, threadId)).toEqual([false, false]);
  });

  it('is true from the next message until that is marked as read, for each person alone', async ({ ada, bob }) => {
    const { threadId, answerId } = await answeredMessage(ada);
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

  it('is not changed by a new name', async ({ ada }) => {
    const { threadId, answerId } = await answeredMessage(ada);
    await read(ada, { threadId, messageId: answerId });
    const rename = 'mutation ($id: ID!) { renameThread(input: {id: $id, name: "Tea"}) { ... on Thread { isUnread } } }';
    expect(await ada.graphql.data(rename, { id: threadId })).toEqual({ renameThread: { isUnread: false } });
  });
});

describe('markThreadRead', () => {
  it('never goes back: an earlier message changes nothing', async ({ ada }) => {
    const { threadId, questionId, answerId } = await answeredMessage(ada);
    await read(ada, { threadId, messageId: answerId });
    expect(await read(ada, { threadId, messageId: questionId })).toMatchObject({ isUnread: false });
  });

  it('keeps the later of two messages that are marked in the same moment', async ({ database, ada }) => {
    const { threadId, questionId, answerId } = await answeredMessage(ada);
    await read(ada, { threadId, messageId: questionId });
    await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM read_position WHERE thread_id = ${threadId} FOR UPDATE` },
      ...[answerId, questionId].map((messageId) => () => read(ada, { threadId, messageId })),
    );
    expect(await unreadTo(ada, threadId)).toEqual([false, false]);
  });

  it('refuses a message of another thread, and one that the viewer may not see', async ({ service, ada, bob }) => {
    const { threadId, answerId } = await answeredMessage(ada);
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

const set = `mutation ($isPrivate: Boolean!) { outcome: setNewThreadPrivacy(input: {isPrivate: $isPrivate}) {
  __typename ... on NewThreadPrivacy { isPrivate } } }`;
const wishes = '{ me { newThreadsArePrivate organizationName } }';

describe('setNewThreadPrivacy', () => {
  it('keeps the wish of one person alone, until they change it', async ({ service, ada, bob }) => {
    const [hers, his] = [ada, bob].map(({ token }) => service.graphql(token));
    const organization = await service.database.organization.findFirstOrThrow({
      where: { users: { some: { id: ada.id } } },
    });
    const shared = { newThreadsArePrivate: false, organizationName: organization.name };
    expect((await hers?.data(wishes))?.me).toEqual(shared);
    expect((await hers?.data(set, { isPrivate: true }))?.outcome).toEqual({
      ...{ __typename: 'NewThreadPrivacy', isPrivate: true },
    });
    expect((await hers?.data(wishes))?.me).toEqual({ ...shared, newThreadsArePrivate: true });
    expect((await his?.data(wishes))?.me).toEqual(shared);
    await hers?.data(set, { isPrivate: false });
    expect((await hers?.data(wishes))?.me).toEqual(shared);
  });

  it('changes no request that says nothing of privacy, over GraphQL and REST', async ({ service, ada }) => {
    await ada.graphql.data(set, { isPrivate: true });
    const create = 'mutation { made: createThread(input: {text: "Hi"}) { ... on PostedMessage { threadId } } }';
    const { made } = await ada.graphql.data(create);
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const where = { id: { in: [made.threadId, threadId] } };
    const threads = await service.database.thread.findMany({ where, select: { isPrivate: true } });
    expect(threads).toEqual([{ isPrivate: false }, { isPrivate: false }]);
  });
});
