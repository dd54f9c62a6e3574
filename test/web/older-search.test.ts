/**
 * A search of many messages ends its pages early. The list goes on to older threads by itself, says so, and can be stopped. The
 * service examines four of the threads here for one page: they say that they have thousands of messages.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addThreads, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { drawn, HeldAnswers, openList } from './conversation/held-answers.js';
import { threadList } from './pages/pages.js';

const q = '"left right"';

describeWeb('a search of the list that ends its pages early', (world) => {
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
