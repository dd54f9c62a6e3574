/** Ways in which the access to what is open ends, and worlds in which the nodes hear of that in different ways. */
import { expect } from 'vitest';
import { withinMs } from '../../../src/platform/async/time-limit.js';
import { FaultyProxy } from '../../support/network/faulty-proxy.js';
import { runSql } from '../../support/server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { signedIn } from '../people.js';
import { type Colleague, openEverything, type Viewing } from './open-streams.js';

/** What is still open then stays open. */
const longestMs = 20_000;

export interface World {
  service: TestService;
  /** Where the streams are; what ends them is asked of the other node. */
  url: string;
}

export const never = 3_600_000;
/** Of production's second: all wait for the next look. */
const checkMs = 100;
// Nothing answers, so a response waits for as long as somebody looks.
export const start = (accessCheckMs: number) => startTestService({ settings: { concurrency: 0, accessCheckMs } });

/** The triggers that notify, by their tables. */
const sayings = [
  ['access_token', 'access_token_end_is_said'],
  ['session', 'session_end_is_said'],
  ['user_account', 'user_end_is_said'],
  ['thread', 'thread_privacy_is_said'],
  ['thread', 'thread_deletion_is_noted'],
] as const;

export const worlds: [name: string, make: () => Promise<World>][] = [
  [
    'by a notification alone',
    async () => {
      const service = await start(never);
      return { service, url: (await service.addNode()).url };
    },
  ],
  [
    'where no notification comes',
    async () => {
      const service = await start(checkMs);
      const { url } = service.storage;
      for (const trigger of sayings) await runSql(url, `ALTER TABLE ${trigger[0]} DISABLE TRIGGER ${trigger[1]}`);
      return { service, url: (await service.addNode()).url };
    },
  ],
  [
    'on a node whose listening connection is gone',
    async () => {
      const service = await start(checkMs);
      const { proxy, url } = await FaultyProxy.before(service.storage.url);
      const node = await service.addNode({ DIRECT_DATABASE_URL: url });
      await proxy.close();
      return { service, url: node.url };
    },
  ],
];

type End = (world: World, colleague: Colleague) => Promise<unknown>;

const endsToken =
  (data: () => { revokedAt: Date } | { expiresAt: Date }): End =>
  ({ service }, { person }) =>
    service.database.accessToken.updateMany({ where: { userId: person.id }, data: data() });

const isRemoved: End = async ({ service }, { person }) => {
  const admin = await signedIn(service, await service.person({ role: 'admin' }));
  await admin.graphql('mutation ($id: ID!) { removeMember(id: $id) { __typename } }', { id: person.id });
};

const isSignedOutElsewhere: End = async ({ service }, { person, browser }) => {
  const { body } = await browser.get<{ session: { id: string } }>('/auth/get-session');
  const end = 'mutation ($id: ID!) { endSession(id: $id) { __typename } }';
  await (await signedIn(service, person)).graphql(end, { id: body.session.id });
};

/** The access of one colleague ends. */
const ends: [name: string, credential: 'token' | 'session', end: End][] = [
  ['a token is revoked', 'token', endsToken(() => ({ revokedAt: new Date() }))],
  ['a token expires', 'token', endsToken(() => ({ expiresAt: new Date() }))],
  ['a browser signs out', 'session', (_world, { browser }) => browser.post('/auth/sign-out')],
  ['a browser is signed out in another one', 'session', isSignedOutElsewhere],
  ['a member is removed, who has a token', 'token', isRemoved],
  ['a member is removed, who is signed in', 'session', isRemoved],
];

/** How long it took until all of the streams were over. */
async function lastOf(viewings: readonly Viewing[]): Promise<number> {
  const startedMs = performance.now();
  const areOver = await withinMs(
    longestMs,
    Promise.all(viewings.map(({ over }) => over)).then(() => true),
  );
  if (!areOver) expect.fail(`after ${longestMs} ms a stream was still open`);
  return performance.now() - startedMs;
}

async function deleteThread(world: World): Promise<number> {
  const { owner, threadId, viewings } = await openEverything(world, 'token');
  const mine = await openEverything(world, 'token', { owner, threadId, as: owner });
  const all = [...viewings, ...mine.viewings];
  const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';
  await (await signedIn(world.service, owner)).graphql(remove, { id: threadId });
  const lastedMs = await lastOf(all.filter(({ ofThread }) => ofThread));
  for (const { close } of all) close();
  return lastedMs;
}

async function makeThreadPrivate(world: World): Promise<number> {
  const { owner, threadId, viewings } = await openEverything(world, 'token');
  const mine = await openEverything(world, 'token', { owner, threadId, as: owner });
  const hide = `mutation ($id: ID!) { setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename } }`;
  await (await signedIn(world.service, owner)).graphql(hide, { id: threadId });
  const lastedMs = await lastOf(viewings.filter(({ ofThread }) => ofThread));
  expect(mine.viewings.filter(({ isOver }) => isOver).map(({ name }) => name)).toEqual([]);
  for (const { close } of [...mine.viewings, ...viewings]) close();
  return lastedMs;
}

/** Opens everything, ends the access to it, waits for all of it to be over, and gives how many milliseconds that took. */
export const endings: [name: string, (world: World) => Promise<number>][] = [
  ...ends.map(([name, credential, end]): (typeof endings)[number] => [
    name,
    async (world) => {
      const { colleague, viewings } = await openEverything(world, credential);
      await end(world, colleague);
      return await lastOf(viewings);
    },
  ]),
  ['a thread is deleted, for its owner too', deleteThread],
  ['a thread becomes private, for everybody but its owner', makeThreadPrivate],
];
