/**
 * How the list of threads is laid out: in groups of days, for a reader anywhere, as wide as one likes, with a line for each thread.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addThreads, colleagueOf, newcomer, personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { composer, goTo, rowsInView, threadList } from './pages/pages.js';

/** What the page takes for the present time. */
const now = new Date('2026-06-17T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const names = Array.from({ length: 30 }, (_, n) => ({
  name: `What was said about number ${n} of the whole long list`,
}));

describeWeb('the list of threads', (world) => {
  describe('the groups of the list of threads', () => {
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

  describe('the width of the list of threads', () => {
    const edge = (page: Page) => page.getByRole('separator', { name: 'Width of the list of threads' });
    const widthOf = async (page: Page) => (await page.locator('.panel').boundingBox())?.width;

    it('follows the mouse and the keys within its limits, and is kept; it is put away and brought back by a button and by a key, also while one writes, and stays away; a narrow window has neither', async () => {
      const page = await world.open(await personWithThreads(world.service, ['Tea']), '/new');
      await threadList(page).first().waitFor();
      expect(await widthOf(page)).toBe(304);
      const box = await edge(page).boundingBox();
      if (!box) throw new Error('The edge is not shown.');
      await page.mouse.move(box.x + box.width / 2, 300);
      await page.mouse.down();
      await page.mouse.move(400, 300);
      await page.mouse.up();
      await expect.poll(() => widthOf(page)).toBe(400);
      await edge(page).focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => widthOf(page)).toBe(416);
      await expect.poll(() => edge(page).getAttribute('aria-valuenow')).toBe('416');
      await page.reload();
      await expect.poll(() => widthOf(page)).toBe(416);
      await edge(page).press('End');
      await expect.poll(() => widthOf(page)).toBe(480);
      await edge(page).press('ArrowRight');
      await edge(page).press('Home');
      await expect.poll(() => widthOf(page)).toBe(224);
      await edge(page).dblclick();
      await expect.poll(() => widthOf(page)).toBe(304);

      const toggle = page.getByRole('button', { name: 'List of threads' });
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      await toggle.click();
      await expect.poll(() => threadList(page).count()).toBe(0);
      await expect.poll(() => widthOf(page)).toBeLessThan(60);
      await page.reload();
      await composer(page).fill('Hello');
      expect(await threadList(page).count()).toBe(0);
      await page.getByRole('link', { name: 'New thread' }).waitFor();
      await page.keyboard.press('ControlOrMeta+b');
      await threadList(page).first().waitFor();
      expect(await composer(page).inputValue()).toBe('Hello');

      await page.setViewportSize({ width: 1000, height: 800 });
      await toggle.click();
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(page, '/');
      await threadList(page).first().waitFor();
      expect(await widthOf(page)).toBe(390);
      expect(await edge(page).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'List of threads' }).count()).toBe(0);
    });
  });

  describe('the rows of the list of threads', () => {
    it('have twenty threads in view in a window of 900 pixels, each with all of it on one line, and say whose a thread is', async () => {
      const person = await newcomer(world.service, { name: 'Ada' });
      const colleague = await colleagueOf(world.service, person);
      const [first, second, , ...others] = names;
      const newest = { ...first, isPrivate: true, createdAt: new Date(Date.now() + 60_000) };
      await addThreads(world.service, colleague, [newest, { ...second, state: 'interrupted' }, ...others]);
      await addThreads(world.service, person, [{ name: 'A plan' }]);
      const page = await world.open(colleague, '/', { width: 1280, height: 900 });
      await threadList(page).nth(29).waitFor();
      expect(await rowsInView(page)).toBeGreaterThanOrEqual(20);
      await isOneLine(threadList(page).first());
      // Half of the line is left to the name where the state is shown, and screen readers hear the time.
      const link = threadList(page).getByRole('link', { name: /Stopped.*\d/ });
      const widthOf = async (place: Locator) => (await place.boundingBox())?.width ?? 0;
      expect(await widthOf(link.locator('.thread-name'))).toBeGreaterThan((await widthOf(link)) / 2);
      // To screen readers, and in the tooltip.
      const another = threadList(page).getByRole('link', { name: /A plan.*Ada/ });
      expect(await another.getAttribute('title')).toBe('A plan (Ada)');
    });

    it('has rows and menus of 44 pixels on a phone', async () => {
      const person = await newcomer(world.service);
      await addThreads(world.service, person, names);
      const page = await world.open(person, '/', { width: 390, height: 844, isTouch: true });
      await threadList(page).nth(29).waitFor();
      const sizes = await threadList(page)
        .locator('.thread-link, button')
        .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
      expect(sizes).toHaveLength(60);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    });
  });
});

/** The title, then the marks and the time, none of which the menu covers. */
async function isOneLine(row: Locator): Promise<void> {
  await row.hover();
  const boxes = [
    row.locator('.thread-name'),
    row.getByTitle('Private', { exact: true }),
    row.locator('time'),
    row.getByRole('button'),
  ];
  const places = await Promise.all(
    boxes.map((box) => box.evaluate((element) => element.getBoundingClientRect().toJSON())),
  );
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    expect(place.left).toBeGreaterThanOrEqual(before?.right ?? 0);
    expect(Math.abs((place.top + place.bottom - places[0].top - places[0].bottom) / 2)).toBeLessThan(3);
  }
}
