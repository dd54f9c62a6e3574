/** The list of threads in groups of days, for a reader anywhere. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addThreads, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { threadList } from './pages/pages.js';

/** What the page takes for the present time. */
const now = new Date('2026-06-17T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

describeWeb('the groups of the list of threads', (world) => {
  /** A page with threads of today, yesterday, this week and long ago. */
  const open = async (view: { locale?: string; timeZone?: string } = {}): Promise<Page> => {
    const person = await newcomer(world.service);
    await addThreads(world.service, person, [
      { name: 'Now', createdAt: daysAgo(0) },
      { name: 'Before', createdAt: daysAgo(1) },
      { name: 'This week', createdAt: daysAgo(4) },
      { name: 'Long ago', createdAt: new Date('2021-03-31T23:30:00.000Z') },
      { name: 'Longer ago', createdAt: new Date('2021-03-01T12:00:00.000Z') },
    ]);
    const page = await world.signedIn(person, view);
    await page.clock.install({ time: now });
    await page.goto('/');
    await threadList(page).nth(4).waitFor();
    return page;
  };

  it('are named by the days, with their threads in them; the arrows and the focus go across them, and they are not there while one searches; they are others after midnight', async () => {
    const page = await open({ locale: 'en-US', timeZone: 'UTC' });
    const groups = page.getByRole('navigation', { name: 'Threads' }).getByRole('region');
    const shown = await groups.evaluateAll((sections) =>
      sections.map((section) => [
        section.querySelector('h2')?.textContent,
        [...section.querySelectorAll('.thread-name')].map(({ textContent }) => textContent),
      ]),
    );
    expect(shown).toEqual([
      ['Today', ['Now']],
      ['Yesterday', ['Before']],
      ['Previous 7 days', ['This week']],
      ['March 2021', ['Long ago', 'Longer ago']],
    ]);

    await page.getByRole('link', { name: /^Now/ }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Before');
    await page.getByRole('button', { name: 'Actions for Before' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('link', { name: /^Before/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('This week');
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('ago');
    await expect.poll(() => threadList(page).count()).toBe(2);
    await page.getByRole('heading', { name: 'Today' }).waitFor({ state: 'detached' });

    await page.getByRole('searchbox', { name: 'Search threads' }).fill('');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Yesterday' }).count()).toBe(0);
    await page.clock.fastForward('24:00:00');
    await page.getByRole('heading', { name: 'Yesterday' }).waitFor();
    await page.getByRole('heading', { name: 'Today' }).waitFor({ state: 'detached' });
  });

  it('keep the name that one gives a thread while it goes to another day', async () => {
    const page = await open({ locale: 'en-US', timeZone: 'UTC' });
    await page.getByRole('link', { name: /^Now/ }).press('F2');
    await page.getByRole('textbox', { name: 'Thread name' }).fill('Then');
    await page.clock.fastForward('24:00:00');
    await page.getByRole('region', { name: 'Yesterday' }).getByRole('link', { name: /^Then/ }).waitFor();
  });

  it('are those of the reader’s time zone and language', async () => {
    const page = await open({ locale: 'de-DE', timeZone: 'Asia/Tokyo' });
    // There, the last of March was over by then.
    await page.getByRole('heading', { name: 'April 2021' }).waitFor();
    await page.getByRole('heading', { name: 'März 2021' }).waitFor();
  });
});
