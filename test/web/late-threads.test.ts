/** The list of threads where answers come late, or never: nothing of it is lost, and no news is taken back. */
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { gate, text, wait } from '../support/model/model-script.js';
import type { Person } from '../support/service.js';
import { personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { drawn, HeldAnswers, openList } from './conversation/held-answers.js';
import { threadList } from './pages/pages.js';

describeWeb('a list of threads with delayed HTTP responses', (world) => {
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
