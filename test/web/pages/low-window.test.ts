/** The list of threads on a phone that is held sideways, and in a window that is zoomed to 400 %: most of the height is for rows. */
import { describe, expect, it } from 'vitest';
import { addThreads, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, type View, webWorld } from '../browser.js';
import { rowsInView, threadList } from './pages.js';

describe.skipIf(!hasBrowser)(`the list of threads in a low window${browserNote}`, () => {
  const world = webWorld();

  it.each<[string, View, { atOnce: number; scrolled: number }]>([
    ['a phone on its side', { width: 844, height: 390, isTouch: true }, { atOnce: 5, scrolled: 8 }],
    ['a small phone on its side', { width: 667, height: 320, isTouch: true }, { atOnce: 4, scrolled: 7 }],
    ['a window at 400 %', { width: 320, height: 256 }, { atOnce: 3, scrolled: 6 }],
  ])('has rows in view on %s, more of them after scrolling, and everything within reach', async (_name, view, rows) => {
    const person = await newcomer(world.service);
    const names = Array.from({ length: 30 }, (_, n) => ({ name: `What was said about number ${n} of the list` }));
    await addThreads(world.service, person, names);
    const page = await world.signedIn(person, view);
    await page.goto('/');
    await threadList(page).nth(29).waitFor();
    for (const [role, name] of [
      ['link', 'New thread'],
      ['searchbox', 'Search threads'],
      ['button', 'Archived'],
      ['link', 'Settings'],
    ] as const) {
      expect([name, await page.getByRole(role, { name }).evaluate(isWhole)]).toEqual([name, true]);
    }
    expect(await rowsInView(page)).toBeGreaterThanOrEqual(rows.atOnce);
    await threadList(page).nth(15).scrollIntoViewIfNeeded();
    await expect.poll(() => rowsInView(page)).toBeGreaterThanOrEqual(rows.scrolled);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });
});

/** Whether nothing covers or cuts the element. */
function isWhole(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const inWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return inWindow && element.contains(above);
}
