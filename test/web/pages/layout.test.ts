/**
 * Every page fits each of the four windows: nothing sticks out at its side, except what can be scrolled to. And all text has one
 * of the sizes of the scale. A page is opened once, on a touch screen, whose controls are larger, and then its window changes.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from '../browser.js';
import { outOfPlace } from './out-of-place.js';
import { type StagedPage, stagePages } from './staged-pages.js';
import { windows } from './windows.js';

describe.skipIf(!hasBrowser)(`the layout of all pages${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  let page: Page;
  let visitor: Page;
  beforeAll(async () => {
    world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    pages = await stagePages(world, person);
    [page, visitor] = [await world.signedIn(person, windows.phone), await world.visitor(windows.phone)];
  });
  afterAll(() => world.stop());

  it('fits a phone, the same on its side, a laptop and a desktop, in text of the six sizes of the scale', async () => {
    const findings: string[] = [];
    for (const { name, isPublic, open, close } of pages) {
      const shown = isPublic ? visitor : page;
      await open(shown);
      for (const [size, { width, height }] of Object.entries(windows)) {
        await shown.setViewportSize({ width, height });
        await shown.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        const found = await outOfPlace(shown);
        findings.push(...found.map((what) => `${name}, ${size}: ${what}`));
      }
      await close?.(shown);
      await shown.setViewportSize({ width: windows.phone.width, height: windows.phone.height });
    }
    expect(findings).toEqual([]);
  }, 240_000);

  it('shows all pages of the settings in a phone, and the cells of a wide table in few lines', async () => {
    await pages.find(({ name }) => name === 'usage')?.open(page);
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    const { right, rows } = await tabs.evaluate((nav) => {
      const boxes = [...nav.children].map((tab) => tab.getBoundingClientRect());
      return { right: Math.max(...boxes.map((box) => box.right)), rows: new Set(boxes.map((box) => box.top)).size };
    });
    expect({ isInWindow: right <= windows.phone.width, rows }).toEqual({ isInWindow: true, rows: 1 });
    await pages.find(({ name }) => name === 'rich-table')?.open(page);
    const heights = await page
      .locator('.rich td')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.max(...heights)).toBeLessThan(75);
  });
});
