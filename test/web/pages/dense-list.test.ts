/** The list of threads has one line for each thread, and rows that a finger can hit. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { rowsInView, threadList } from './pages.js';

const names = Array.from({ length: 30 }, (_, n) => ({
  name: `What was said about number ${n} of the whole long list`,
}));

describeWeb('the rows of the list of threads', (world) => {
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
