/** Ways in which the access to what is open ends, and worlds in which the nodes hear of that in different ways. */
import { expect } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { withinMs } from '../../../src/platform/async/time-limit.js';
import { RestClient } from '../../support/clients/rest-client.js';
import { FaultyProxy } from '../../support/network/faulty-proxy.js';
import { runSql } from '../../support/server.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { Browser } from '../browser.js';
import { linkSecret, signedIn } from '../people.js';

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

export interface Viewing {
  name: string;
  /** True where it shows one thread: then it ends when that becomes private. */
  ofThread: boolean;
  /** Resolves when the stream has ended. */
  over: Promise<void>;
  isOver: boolean;
  close: () => void;
}

export interface Colleague {
  person: Person;
  /** Signed in, on the node where the streams are. */
  browser: Browser;
}

interface Scene {
  service: TestService;
  url: string;
}

/**
 * Opens everything that a colleague can have open, on a thread of the owner: each subscription over each transport, REST's stream,
 * a reserved stream; a token cannot be had by a session, nor REST by a cookie.
 */
async function openEverything(
  { service, url }: Scene,
  credential: 'token' | 'session',
  given?: { owner: Person; threadId: string; as: Person },
) {
  const owner = given?.owner ?? (await service.person());
  const sent = given ? null : await owner.rest.createThread({ text: 'Hello' });
  const threadId = given?.threadId ?? sent?.threadId ?? '';
  const { id: messageId } = await service.database.message.findFirstOrThrow({ where: { threadId } });
  const person = given?.as ?? (await service.person());
  const browser = new Browser(url);
  await browser.post('/auth/sign-in/link', { token: await linkSecret(service, person) });
  const token = await service.token(person.id, scopes);
  const headers: Record<string, string> =
    credential === 'token' ? { authorization: `Bearer ${token}` } : { cookie: browser.cookies, origin: browser.origin };
  const subscriptions = [
    ['threadsChanged', '{ threadsChanged { __typename } }', false],
    ['threadChanged', `{ threadChanged(id: "${threadId}") { __typename } }`, true],
    ['threadPresence', `{ threadPresence(threadId: "${threadId}") { __typename } }`, true],
    ['responseEvents', `{ responseEvents(messageId: "${messageId}") { __typename } }`, true],
  ] as const;
  const viewings = subscriptions.flatMap(([name, query, ofThread]) =>
    ['/graphql', '/graphql/stream'].map((path) => {
      const body = JSON.stringify({ query: `subscription ${query}` });
      const sentHeaders = { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' };
      return open(`${name} on ${path}`, ofThread, url + path, { method: 'POST', headers: sentHeaders, body });
    }),
  );
  const reservation = await fetch(`${url}/graphql/stream`, {
    method: 'PUT',
    headers: { ...headers, 'x-graphql-yoga-csrf': '1' },
  });
  const reserved = `${url}/graphql/stream?token=${await reservation.text()}`;
  viewings.push(
    open('a reserved stream', false, reserved, {
      headers: { ...headers, accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1' },
    }),
  );
  if (credential === 'token') {
    const path = `${url}/api/v1/threads/${threadId}/messages/${messageId}/response/stream`;
    viewings.push(open('the stream of REST', true, path, { headers }));
  }
  const colleague: Colleague = {
    person: { ...person, rest: new RestClient({ origin: url, prefix: '/api/v1', token }) },
    browser,
  };
  return { owner, threadId, colleague, viewings: await Promise.all(viewings) };
}

/** Resolves when the first bytes have come. */
async function open(name: string, ofThread: boolean, url: string, init: RequestInit): Promise<Viewing> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  const reader = response.body?.getReader();
  if (response.status !== 200 || !reader) throw new Error(`${name} → ${response.status} ${await response.text()}`);
  await reader.read();
  const viewing: Viewing = { name, ofThread, over: Promise.resolve(), isOver: false, close: () => abort.abort() };
  const drain = async () => {
    while (!(await reader.read()).done) {
      // What was on its way already may still come.
    }
  };
  // A stream that is cut is over as well.
  viewing.over = drain()
    .catch(() => undefined)
    .then(() => {
      viewing.isOver = true;
    });
  return viewing;
}
