/** Whoever follows something is looked at again: the end of a session ends what was open, as revoking a token does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '../support/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { addThread } from '../support/threads.js';
import type { Browser } from './browser.js';
import { signedIn } from './people.js';

let service: TestService;
/** One for each test, as they run beside each other. */
const owners: Person[] = [];
beforeAll(async () => {
  // Nothing answers, so a response waits for as long as somebody looks.
  service = await startTestService({ settings: { concurrency: 0 } });
  for (let number = 1; number <= 5; number += 1) owners.push(await service.person());
});
afterAll(() => service.stop());

async function subscribe(browser: Browser, query: string) {
  const response = await browser.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  expect(response.status).toBe(200);
  if (!response.body) throw new Error('the subscription has no body');
  return readResults(response.body);
}

type Query = (owner: Person) => Promise<string>;
/** How the session of `browser` ends; `other` is another browser of its owner. */
type End = (sessions: { browser: Browser; other: Browser; owner: Person }) => Promise<void>;

const changes: Query = () => Promise.resolve('subscription { threadsChanged { __typename } }');

const signOut: End = async ({ browser, other }) => {
  expect((await browser.post('/auth/sign-out')).status).toBe(200);
  await other.graphql('{ me { sub } }');
};

const endFromElsewhere: End = async ({ browser, other }) => {
  const { body } = await browser.get<{ session: { id: string } }>('/auth/get-session');
  const end = `mutation { endSession(id: "${body.session.id}") { __typename } }`;
  expect(await other.graphql(end)).toEqual({ endSession: { __typename: 'Session' } });
};

const remove: End = async ({ owner }) => {
  const administrator = await signedIn(service, await service.person({ role: 'admin' }));
  const removal = `mutation { removeMember(id: "${owner.id}") { __typename } }`;
  expect(await administrator.graphql(removal)).toEqual({ removeMember: { __typename: 'Member' } });
};

describe('what somebody follows', () => {
  it.concurrent.each<[name: string, why: string, makeQuery: Query, end: End]>([
    ['threadsChanged', 'signing out', changes, signOut],
    [
      'threadChanged',
      'signing out',
      async (owner) => `subscription { threadChanged(id: "${await addThread(service, owner)}") { __typename } }`,
      signOut,
    ],
    [
      'responseEvents',
      'signing out',
      async (owner) => {
        const { messageId } = await owner.rest.createThread({ text: 'Hello' });
        return `subscription { responseEvents(messageId: "${messageId}") { __typename } }`;
      },
      signOut,
    ],
    ['threadsChanged', 'being signed out in another browser', changes, endFromElsewhere],
    ['threadsChanged', 'being removed', changes, remove],
  ])(
    '%s ends within the minute after %s',
    async (_name, _why, makeQuery, end) => {
      const owner = owners.shift();
      if (!owner) throw new Error('there are more tests than owners');
      const [browser, other] = [await signedIn(service, owner), await signedIn(service, owner)];
      const results = await subscribe(browser, await makeQuery(owner));
      await results.next();
      await end({ browser, other, owner });
      const startedMs = performance.now();
      for await (const _ of results) {
        // What was on its way already may still come.
      }
      expect(performance.now() - startedMs).toBeLessThan(60_000);
    },
    70_000,
  );
});
