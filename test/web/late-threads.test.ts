/**
 * The list of threads where HTTP responses come late, or never, or end early: nothing of it is lost, and no news is taken back. A
 * search of many messages ends its pages early: the list goes on to older threads by itself, says so, and can be stopped.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { gate, text, wait } from '../support/model/model-script.js';
import type { Person } from '../support/service.js';
import { addThreads, newcomer, personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { drawn, HeldAnswers, openList } from './conversation/held-answers.js';
import { threadList } from './pages/pages.js';

/** The service examines four of the threads that match for one page: they say that they have thousands of messages. */
const q = '"left right"';

describeWeb('the list of threads', (world) => {
  describe('a list of threads with delayed HTTP responses', () => {
    it('keeps the last thread of a long list in place when a change of it fails, and the news of a thread when it hears late that a change was accepted, or that it failed', async () => {
      const person = await withThreads(120);
      const page = await open(person);
      const more = await HeldAnswers.of(page, { operation: 'Threads', where: ({ after }) => after !== null });
      const failing = await HeldAnswers.of(page, { operation: 'RenameThread', isLost: true });
      await page.getByRole('link', { name: /^Thread 49\b/ }).waitFor();
      await rename(page, 'Thread 49', 'Another name');
      await failing.waitFor(1);
      await threadList(page).getByText('Another name').waitFor();
      failing.end();
      await threadList(page).getByText('Thread 49', { exact: true }).waitFor();
      await expect.poll(() => threadList(page).count()).toBe(50);
      more.end();

      for (const isLost of [false, true]) {
        const end = gate();
        world.service.model.enqueue([text('Half'), wait(end.passed)]);
        const sent = await person.rest.createThread({ text: 'Hello', name: `Old name ${isLost}` });
        await page.getByText('Answering').waitFor();
        const renaming = await HeldAnswers.of(page, { operation: 'RenameThread', isLost });
        await rename(page, `Old name ${isLost}`, `New name ${isLost}`);
        await renaming.waitFor(1);
        end.open();
        await person.rest.streamToEnd(sent);
        await page.getByText('Answering').waitFor({ state: 'detached' });
        renaming.end();
        await page.getByRole('link', { name: isLost ? /Old name true/ : /New name false/ }).waitFor();
        await drawn(page);
        expect(await threadList(page).first().innerText()).not.toContain('Answering');
      }
    });

    it('loads to the end even if the list is reloaded while a further page is loading, and has no gap if that happens while the user scrolls', async () => {
      const page = await world.signedIn(await withThreads(170));
      const first = await HeldAnswers.of(page, { operation: 'ThreadsChanged' });
      const more = await HeldAnswers.of(page, { operation: 'Threads', where: ({ after }) => after !== null });
      await page.goto('/');
      await threadList(page).last().scrollIntoViewIfNeeded();
      await more.waitFor(1);
      const again = page.waitForResponse((response) => response.request().postData()?.includes('Threads(') ?? false);
      first.end();
      await again;
      await drawn(page);
      more.end();
      await expect.poll(() => threadList(page).count()).toBeGreaterThan(50);

      const feed = await HeldAnswers.of(page, { operation: 'ThreadsChanged' });
      await page.reload();
      await threadList(page).nth(49).scrollIntoViewIfNeeded();
      await threadList(page).nth(99).waitFor();
      const pages = await HeldAnswers.of(page, { operation: 'Threads' });
      feed.end();
      await pages.waitFor(1);
      await threadList(page).last().scrollIntoViewIfNeeded();
      await drawn(page);
      pages.release(0);
      await expect.poll(() => threadList(page).count()).toBe(50);
      pages.end();
      await read(page, 170);
    });

    it('loads more of one view while more of another is still loading', async () => {
      const page = await open(await withThreads(120));
      const more = await HeldAnswers.of(page, {
        operation: 'Threads',
        where: ({ after, filter }) => after !== null && JSON.stringify(filter) === '{}',
      });
      await threadList(page).last().scrollIntoViewIfNeeded();
      await more.waitFor(1);
      await page.getByRole('button', { name: 'Mine' }).click();
      await read(page, 120);
      more.end();
    });

    const withThreads = (count: number): Promise<Person> =>
      personWithThreads(
        world.service,
        Array.from({ length: count }, (_, index) => `Thread ${index}`),
      );

    /** The list, once it is live. */
    async function open(person: Person): Promise<Page> {
      const page = await world.signedIn(person);
      await openList(page);
      return page;
    }
  });

  describe('a search of the list that ends its pages early', () => {
    it('goes on to older threads until it finds some, or the user stops it or searches for something else, and does not say before that there are none', async () => {
      const { page } = await withThreads({ count: 40, found: [39] });
      const held = await olderPages(page);
      await search(page);
      await page.getByText('Searching older threads…').waitFor();
      await held.waitFor(1);
      expect(await page.getByText('No threads match your search').count()).toBe(0);
      await page.getByRole('button', { name: 'Stop' }).click();
      held.release(0);
      await page.getByRole('button', { name: 'Search older threads' }).waitFor();
      await drawn(page);
      expect([held.count, await threadList(page).count()]).toEqual([1, 0]);

      await page.getByRole('button', { name: 'Search older threads' }).click();
      await held.waitFor(2);
      await page.getByRole('searchbox', { name: 'Search threads' }).fill('');
      await threadList(page).first().waitFor();
      held.end();
      await drawn(page);
      expect(await page.getByText(/older threads/i).count()).toBe(0);

      await search(page);
      await goneOnUntil(page, page.getByRole('link', { name: /left right/ }));
      await expect.poll(() => page.getByText(/older threads/i).count()).toBe(0);
      await search(page, '"left left"');
      await goneOnUntil(page, page.getByText('No threads match your search'));
    });

    it('goes on where a change makes it begin anew while the first older page is on its way', async () => {
      const { page, person } = await withThreads({ count: 40, found: [39] });
      const held = await olderPages(page);
      await search(page);
      await held.waitFor(1);
      const again = page.waitForEvent('requestfinished', (request) => !!request.postData()?.includes('query Threads'));
      await person.rest.createThread({ text: 'Hi' });
      await again;
      held.end();
      await goneOnUntil(page, page.getByRole('link', { name: /left right/ }));
    });

    it('pauses after twenty pages without a thread', async () => {
      const { page } = await withThreads({ count: 100, found: [99] });
      const held = await olderPages(page);
      held.letThrough();
      await search(page);
      await page.getByRole('button', { name: 'Search older threads' }).click({ timeout: 20_000 });
      await goneOnUntil(page, page.getByRole('link', { name: /left right/ }));
    });

    it('finds older threads in the palette too, which says if it did not search all', async () => {
      const { page } = await withThreads({ count: 60, found: [25] });
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find a thread or a command' });
      await field.fill(q);
      await page.getByRole('option', { name: 'left right' }).waitFor();
      await page.getByText('Older threads were not searched.').waitFor();
      await field.fill('"left left"');
      await page.getByRole('option', { name: 'left right' }).waitFor({ state: 'detached' });
      await page.getByText('Older threads were not searched.').waitFor();
      expect(await page.getByText('Nothing was found.').count()).toBe(0);
    });

    /** The list of somebody with so many threads, of which those at these places, from the newest on, are called "left right". */
    async function withThreads({ count, found }: { count: number; found: readonly number[] }) {
      const person = await newcomer(world.service);
      const now = Date.now();
      const seeds = Array.from({ length: count }, (_, place) => ({
        name: found.includes(place) ? 'left right' : 'right left',
        createdAt: new Date(now - place * 1000),
        lastSequence: 20_000,
      }));
      await addThreads(world.service, person, seeds);
      const page = await world.signedIn(person);
      await openList(page);
      return { page, person };
    }
  });
});

/** Reads on until so many are there. */
function read(page: Page, count: number): Promise<void> {
  const reading = async () => {
    await threadList(page).last().scrollIntoViewIfNeeded();
    expect(await threadList(page).count()).toBe(count);
  };
  return vi.waitFor(reading, { timeout: 30_000 });
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('link', { name: new RegExp(`^${from}\\b`) }).press('F2');
  await page.getByRole('textbox', { name: 'Thread name' }).fill(to);
  await page.keyboard.press('Enter');
}

function olderPages(page: Page): Promise<HeldAnswers> {
  return HeldAnswers.of(page, { operation: 'Threads', where: ({ after }) => typeof after === 'string' });
}

function search(page: Page, words = q): Promise<void> {
  return page.getByRole('searchbox', { name: 'Search threads' }).fill(words);
}

/** Goes on whenever the search pauses: on a slow machine time ends its pages, before they have four threads. */
async function goneOnUntil(page: Page, found: Locator): Promise<void> {
  const goOn = page.getByRole('button', { name: 'Search older threads' });
  const press = (buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  };
  await expect.poll(() => goOn.evaluateAll(press).then(() => found.count()), { timeout: 40_000 }).toBe(1);
}
