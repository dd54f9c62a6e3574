/** Pins: for each person alone, without a change of the thread, and as many as there may be also in the same moment. */
import { describe, expect } from 'vitest';
import { maximumPins } from '../../../src/contract.js';
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
