/** `threadPresence` and `announceWriting`: who else is in a thread now, who may know it, and that nothing of it is stored. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { readEverything } from '../visibility/visibility-snapshot.js';
import { announce, presenceQuery, Reader } from './presence-client.js';

/** A shorter linger, for tests of departures; an announcement of writing outlasts every test. */
const presence = { repeatMs: 1_000, forgetMs: 3_500, lingerMs: 100, writingMs: 600_000 };

const nobody = { people: [], writing: [], count: 0 };

const it = serviceTest({ settings: { presence } });

async function team(service: TestService) {
  const ada = await newcomer(service, { name: 'Ada' });
  const bob = await colleagueOf(service, ada, { name: 'Bob' });
  return { ada, bob, threadId: await addThread(service, ada) };
}

describe('threadPresence', () => {
  it('names others with id and name and nothing else, and never the viewer', async ({ service }) => {
    const { ada, bob, threadId } = await team(service);
    const adas = await Reader.of(service.url, ada, threadId);
    expect(adas.events).toEqual([nobody]);
    const bobs = await Reader.of(service.url, bob, threadId);
    expect(bobs.list).toEqual({ people: [{ id: ada.id, name: 'Ada' }], writing: [], count: 1 });
    await expect.poll(() => adas.list).toEqual({ people: [{ id: bob.id, name: 'Bob' }], writing: [], count: 1 });
    bobs.leave();
    await expect.poll(() => adas.list).toEqual(nobody);
    adas.leave();
  });

  it('names at most 50, who writes first, and counts the others', async ({ service }) => {
    const { ada, threadId } = await team(service);
    const { organizationId } = await service.database.user.findUniqueOrThrow({ where: { id: ada.id } });
    const ids = Array.from({ length: 60 }, (_, n) => `usr_${String(n).padStart(26, '0')}`);
    const users = ids.map((id, n) => ({ id, organizationId, email: `${id}@many.test`, name: `Person ${100 + n}` }));
    await service.database.user.createMany({ data: users });
    for (const userId of ids) service.service.presence.enter({ threadId, userId });
    service.service.presence.announceWriting({ threadId, userId: ids[59] ?? '' });
    const adas = await Reader.of(service.url, ada, threadId);
    expect(adas.list?.count).toBe(60);
    expect(adas.names).toEqual(['Person 159 ✎', ...Array.from({ length: 49 }, (_, n) => `Person ${100 + n}`)]);
    adas.leave();
  });

  it.for<[string, (service: TestService, ids: { threadId: string; userId: string }) => Promise<unknown>]>([
    [
      'the thread becomes private',
      ({ database }, { threadId: id }) => database.thread.update({ where: { id }, data: { isPrivate: true } }),
    ],
    [
      'they are removed',
      ({ database }, { userId: id }) => database.user.update({ where: { id }, data: { removedAt: new Date() } }),
    ],
  ])('ends for others when %s, and its owner is alone', async ([_when, change], { service }) => {
    const { ada, bob, threadId } = await team(service);
    const adas = await Reader.of(service.url, ada, threadId);
    const bobs = await Reader.of(service.url, bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob']);
    await change(service, { threadId, userId: bob.id });
    await expect.poll(() => bobs.hasEnded).toBe(true);
    await expect.poll(() => adas.names).toEqual([]);
    expect(adas.hasEnded).toBe(false);
    // As if another node had not heard of it yet.
    service.service.presence.enter({ threadId, userId: bob.id });
    const again = await Reader.of(service.url, ada, threadId);
    expect(again.events).toEqual([nobody]);
    for (const reader of [adas, again]) reader.leave();
  });

  it('ends when the thread is deleted', async ({ service }) => {
    const { ada, bob, threadId } = await team(service);
    const readers = [await Reader.of(service.url, ada, threadId), await Reader.of(service.url, bob, threadId)];
    await service.database.thread.delete({ where: { id: threadId } });
    await expect.poll(() => readers.map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
  });

  it('counts as one of the streams of a user', async ({ startService }) => {
    const limited = await startService({ environment: { STREAMS_PER_USER: '1' } });
    const { ada, threadId } = await team(limited);
    const adas = await Reader.of(limited.url, ada, threadId);
    const failure = await refusalOf(ada, threadId);
    expect(failure?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    adas.leave();
  });

  type Which = (service: TestService, ada: Person) => Promise<string>;
  it.for<[string, Which]>([
    ['an unknown thread', async () => `thr_${'0'.repeat(26)}`],
    ['a private thread of a colleague', async (s, ada) => addThread(s, await colleagueOf(s, ada), { isPrivate: true })],
    ['a thread of another organization', async (s) => addThread(s, await newcomer(s))],
  ])('is refused, as is the announcement, and makes nobody present: %s', async ([_what, which], { service, ada }) => {
    const id = await which(service, ada);
    expect((await refusalOf(ada, id))?.extensions?.['code']).toBe('NOT_FOUND');
    expect(await announce(service.url, ada, id)).toMatchObject({
      announceWriting: { __typename: 'NotFoundError', code: 'NOT_FOUND' },
    });
    expect(service.service.presence.peopleIn(id)).toEqual([]);
  });
});

it.for<[string, (bob: Person, threadId: string) => Promise<unknown>]>([
  ['sendMessage', ({ graphql }, threadId) => graphql.run({ query: sendQuery, variables: { threadId } })],
  ['REST', ({ rest }, threadId) => rest.send(threadId, 'Sent')],
])(
  'announceWriting shows others that somebody writes, until they have sent their message by %s',
  async ([_way, send], { service }) => {
    const { ada, bob, threadId } = await team(service);
    const adas = await Reader.of(service.url, ada, threadId);
    const bobs = await Reader.of(service.url, bob, threadId);
    expect(await announce(service.url, bob, threadId)).toEqual({
      announceWriting: { __typename: 'AnnouncedWriting', threadId, expiresInSeconds: 600 },
    });
    await expect.poll(() => adas.names).toEqual(['Bob ✎']);
    expect(bobs.names, 'and not to themselves').toEqual(['Ada']);
    await send(bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob']);
    for (const reader of [adas, bobs]) reader.leave();
  },
);

it('stores, logs and exports nothing, and REST does not show it', async ({ service, database }) => {
  const { ada, bob, threadId } = await team(service);
  // The answers of earlier tests change rows too.
  await expect.poll(() => database.response.count({ where: { finishedAt: null } })).toBe(0);
  const before = await readEverything(database);
  const logged = service.log.length;
  const adas = await Reader.of(service.url, ada, threadId);
  const bobs = await Reader.of(service.url, bob, threadId);
  await announce(service.url, bob, threadId);
  await expect.poll(() => adas.names).toEqual(['Bob ✎']);
  expect(await readEverything(database)).toEqual(before);
  expect(service.log.slice(logged).filter((line) => line.includes(threadId))).toEqual([]);
  const { body } = await ada.rest.get(`/threads/${threadId}`);
  expect(JSON.stringify(body)).not.toContain(bob.id);
  for (const reader of [adas, bobs]) reader.leave();
});

const sendQuery = `mutation ($threadId: ID!) {
  sendMessage(input: {threadId: $threadId, text: "Sent"}) { ... on PostedMessage { messageId } }
}`;

/** The error of a subscription that is refused. */
async function refusalOf({ graphql }: Person, threadId: string) {
  const { results } = await graphql.subscribe<string>({ query: presenceQuery, variables: { threadId } });
  const { value } = await results.next();
  return value?.errors?.[0];
}
