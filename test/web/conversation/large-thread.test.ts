/**
 * A thread of 2,000 messages: it opens at once, wherever that is, only what is in sight is in the page, and only what one comes
 * near to is asked for.
 */
import type { Request } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, seen, write } from '../pages/pages.js';
import { mostRestyled } from '../pages/restyled.js';
import { movedRows, settledSight } from '../pages/sight.js';
import { addMessages, queryName, rush, shown, watchMessages } from './long-thread.js';

const count = 2000;
const most = 60;
const patient = { timeout: 10_000 };
const last = `Message number ${count - 1}.`;
const first = 'The first message';

describeWeb(`a thread of ${count} messages in the browser`, (world) => {
  let person: Person;
  let threadId: string;
  let ids: string[];
  beforeAll(async () => {
    person = await newcomer(world.service);
    ({ threadId } = await person.rest.readyThread({ text: first }));
    ids = await addMessages(world.service, { threadId, count });
  });

  it('opens at the message that one was reading when the page is loaded again, and at the end if one was there', async () => {
    const page = await world.open(person, `/threads/${threadId}`);
    await seen(page, last);
    await page.reload();
    await seen(page, last);
    await page.getByRole('region', { name: 'Conversation' }).hover();
    await page.mouse.wheel(0, -3000);
    await page.getByRole('button', { name: 'Jump to the latest message' }).waitFor();
    const read = Object.keys((await settledSight(page)).rows);
    await page.reload();
    await page.locator(`article#${read[Math.floor(read.length / 2)]}`).waitFor();
    await page.context().close();
  });

  it('opens at its end with one request of 50 messages, marks one of them without another, styles only the rows that come into sight, and does not move what is in view when an older page loads, or fails to until it is asked again', async () => {
    const page = await world.signedIn(person);
    const asked = watchMessages(page);
    await page.goto(`/threads/${threadId}`);
    await seen(page, last);
    await answered(page);
    expect(await shown(page)).toBeLessThan(most);
    await vi.waitFor(() => expect(asked).toEqual({ queries: ['Conversation'], messages: 50 }), patient);
    // What a link inside of the application does.
    await page.evaluate(`history.pushState(null, '', '/threads/${threadId}/messages/${ids.at(-1)}')`);
    await page.locator('[data-marked=true]').getByText(last).waitFor();
    expect(asked.queries).toEqual(['Conversation']);

    const pages: (() => void)[] = [];
    await page.route('**/graphql', async (route) => {
      if (queryName(route.request().postData()) === 'Messages') {
        await new Promise<void>((resolve) => pages.push(resolve));
      }
      await route.continue();
    });
    await page.getByRole('region', { name: 'Conversation' }).hover();
    const styled = await mostRestyled(page, async () => {
      await page.mouse.wheel(0, -300);
      await settledSight(page);
    });
    expect(styled).toBeLessThan(200);
    for (const round of [1, 2]) {
      await vi.waitFor(
        async () => {
          await page.mouse.wheel(0, -700);
          expect(pages).toHaveLength(round);
        },
        { ...patient, interval: 20 },
      );
      const before = await settledSight(page);
      pages.at(-1)?.();
      await vi.waitFor(
        async () => expect((await settledSight(page)).height).toBeGreaterThan(before.height + 1000),
        patient,
      );
      expect(movedRows(before, await settledSight(page))).toEqual([]);
    }
    await page.unroute('**/graphql');

    const isMessages = (request: Request) => queryName(request.postData()) === 'Messages';
    await page.route('**/graphql', (route) => (isMessages(route.request()) ? route.abort() : route.continue()));
    // More than once: while the rows above are still measured, the list may take one step to its end again.
    await vi.waitFor(async () => {
      await page.evaluate("document.querySelector('.messages-scroll').scrollTo(0, 0)");
      expect(await page.getByText('The earlier messages did not load.').count()).toBe(1);
    }, patient);
    await page.unroute('**/graphql');
    const again = watchMessages(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await vi.waitFor(() => expect(again).toEqual({ queries: ['Messages'], messages: 100 }), patient);
    await page.getByText('The earlier messages did not load.').waitFor({ state: 'detached' });
  });

  it('opens at a message in its middle, marked, and scrolls from there to both ends, a page at a time, and from a message far back to the end by its key, and to the one that is sent', async () => {
    const page = await world.signedIn(person);
    const asked = watchMessages(page);
    await page.goto(`/threads/${threadId}/messages/${ids[1000]}`);
    const marked = page.locator('[data-marked=true]');
    await marked.waitFor();
    expect(await marked.innerText()).toContain('Message number 1000.');
    expect((await settledSight(page)).rows).toHaveProperty([ids[1000] ?? '']);
    await vi.waitFor(() => expect(asked).toEqual({ queries: ['ConversationAround'], messages: 101 }), patient);
    expect(await rush(page, last, 'down')).toBeLessThan(most);
    expect(await rush(page, first, 'up')).toBeLessThan(most);
    expect(new Set(asked.queries.slice(1))).toEqual(new Set(['Messages']));
    expect(asked.queries.length).toBeLessThanOrEqual((1.5 * count) / 100 + 2);
    const before = asked.queries.length;
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    await seen(page, last);
    expect(asked.queries.length).toBe(before);

    await page.goto(`/threads/${threadId}/messages/${ids[400]}`);
    await marked.getByText('Message number 400.').waitFor();
    await page.getByRole('region', { name: 'Conversation' }).press('End');
    await seen(page, last);

    await page.goto(`/threads/${threadId}/messages/${ids[400]}`);
    await marked.getByText('Message number 400.').waitFor();
    const sending = watchMessages(page);
    await write(page, 'Something new');
    await seen(page, 'Something new');
    await seen(page, 'Hello from the model.');
    await page.waitForURL(new RegExp(`/threads/${threadId}$`));
    await expect.poll(() => page.getByText('Message number 400.').count()).toBe(0);
    expect(sending.queries).not.toContain('Messages');
  }, 90_000);
});
