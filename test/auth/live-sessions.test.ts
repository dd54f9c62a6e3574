/** Whoever follows something is looked at again: signing out ends what was open, as revoking a token does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '../support/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { addThread } from '../support/threads.js';
import type { Browser } from './browser.js';
import { signedIn } from './people.js';

let service: TestService;
/** One for each test, as they run beside each other. */
let owners: Person[];
beforeAll(async () => {
  // Nothing answers, so a response waits for as long as somebody looks.
  service = await startTestService({ settings: { concurrency: 0 } });
  owners = [await service.person(), await service.person(), await service.person()];
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

describe('signing out', () => {
  it.concurrent.each<[string, (owner: Person) => Promise<string>]>([
    ['threadsChanged', () => Promise.resolve('subscription { threadsChanged { __typename } }')],
    [
      'threadChanged',
      async (owner) => `subscription { threadChanged(id: "${await addThread(service, owner)}") { __typename } }`,
    ],
    [
      'responseEvents',
      async (owner) => {
        const { messageId } = await owner.rest.createThread({ text: 'Hello' });
        return `subscription { responseEvents(messageId: "${messageId}") { __typename } }`;
      },
    ],
  ])(
    'ends %s within the minute',
    async (_name, makeQuery) => {
      const owner = owners.shift();
      if (!owner) throw new Error('there are more tests than owners');
      const [browser, other] = [await signedIn(service, owner), await signedIn(service, owner)];
      const results = await subscribe(browser, await makeQuery(owner));
      await results.next();
      expect((await browser.post('/auth/sign-out')).status).toBe(200);
      const startedMs = performance.now();
      for await (const _ of results) {
        // What was on its way already may still come.
      }
      expect(performance.now() - startedMs).toBeLessThan(60_000);
      await other.graphql('{ me { sub } }');
    },
    70_000,
  );
});
