/**
 * Every page in each of its states: axe finds no problem, not even a moderate or minor one, in both themes, in a wide window and
 * on a phone, and the page fits each of four windows. A page is opened once for each of the two and looked at in several ways: by
 * all rules in the first theme, and in the other one by those about colours, since a theme changes nothing else. A phone has the
 * colours of a wide window, and shows the other theme in the project `stress` only. The windows are those of a touch screen, whose
 * controls are larger.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStress } from '../../support/case-counts.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, type View, WebWorld } from '../browser.js';
import { findOutOfPlace } from './out-of-place.js';
import { type StagedPage, stagePages } from './staged-pages.js';

declare const axe: { run(options: RunOptions): Promise<AxeResults> };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

interface Screen {
  page: Page;
  visitor: Page;
}

describe.skipIf(!hasBrowser)(`every page${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  let screens: { wide: Screen; phone: Screen };
  beforeAll(async () => {
    // Several, so that the choice is on the pages too.
    world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    pages = await stagePages(world, person);
    const screen = async (view: View) => ({
      page: await world.signedIn(person, view),
      visitor: await world.visitor(view),
    });
    screens = { wide: await screen(wide), phone: await screen({ ...phone, isTouch: true }) };
  });
  afterAll(() => world.stop());

  // At the same time, since most of it is waiting for pages.
  it.concurrent('is accessible in a wide window, light and dark', { timeout: 240_000 }, async () => {
    const findings = await visit(screens.wide, async (page) => [
      ...(await violations(page, 'light')),
      ...(await violations(page, 'dark')),
    ]);
    expect(findings).toEqual([]);
  });

  it.concurrent('is accessible on a phone, and fits it, the same on its side, a laptop and a desktop, in text of the sizes of the scale', {
    timeout: 240_000,
  }, async () => {
    const findings = await visit(screens.phone, async (page) => {
      const found = await violations(page, 'light');
      if (isStress) found.push(...(await violations(page, 'dark')));
      found.push(...(await findOutOfPlace(page)));
      await page.setViewportSize(phone);
      return found;
    });
    expect(findings).toEqual([]);
  });

  it('of the settings is in reach on a phone, and the cells of a wide table have few lines', async () => {
    const { page } = screens.phone;
    await page.setViewportSize({ width: 390, height: 844 });
    await pages.find(({ name }) => name === 'usage')?.open(page);
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    const { right, rows } = await tabs.evaluate((nav) => {
      const boxes = [...nav.children].map((tab) => tab.getBoundingClientRect());
      return { right: Math.max(...boxes.map((box) => box.right)), rows: new Set(boxes.map((box) => box.top)).size };
    });
    expect({ isInWindow: right <= 390, rows }).toEqual({ isInWindow: true, rows: 1 });
    await pages.find(({ name }) => name === 'rich-table')?.open(page);
    const heights = await page
      .locator('.rich td')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.max(...heights)).toBeLessThan(75);
  });

  /** Opens each page in light, and returns what `look` found on any of them. */
  async function visit(screen: Screen, look: (page: Page) => Promise<string[]>): Promise<string[]> {
    const findings: string[] = [];
    for (const { name, isPublic, open, close } of pages) {
      const page = screen[isPublic ? 'visitor' : 'page'];
      await page.emulateMedia({ colorScheme: 'light' });
      await open(page);
      // The policy of the page lets no other script in; the inspector is not bound by it.
      await page.evaluate(axeSource);
      findings.push(...(await look(page)).map((finding) => `${name}, ${finding}`));
      await close?.(page);
    }
    return findings;
  }
});

/** In dark only what colours change. Only what was found leaves the page: axe also describes each element that passed. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  const found = await page.evaluate(
    async (chosen) =>
      (await axe.run({ ...chosen, resultTypes: ['violations'] })).violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      ),
    theme === 'light' ? {} : colourRules,
  );
  return found.map((finding) => `${theme}: ${finding}`);
}
