/** The list of threads beside the page can be made wider and narrower, or put away, by mouse and by keyboard, and stays so. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { composer, goTo, threadList } from './pages/pages.js';

describeWeb('the width of the list of threads', (world) => {
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
