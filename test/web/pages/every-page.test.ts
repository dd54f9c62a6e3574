/**
 * Every page in each of its states: axe finds no problem, not even a moderate or minor one, in both themes, in a wide window and
 * on a phone; the page fits each of four windows, in text of the sizes of the scale; and it has no English left in German, whose
 * words are long, and in Arabic, which runs from the right. A page is opened once for each of the two and looked at in several
 * ways: by all rules in the first theme, and in the other one by those about colours, since a theme changes nothing else. A phone
 * has the colours of a wide window, and shows the other theme in the project `stress` only. The windows are those of a touch
 * screen, whose controls are larger.
 */
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStress } from '../../support/case-counts.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, type View, WebWorld } from '../browser.js';
import { englishLeft } from '../language/english-left.js';
import { switchLanguage } from '../language/switch-language.js';
import { violations } from './axe.js';
import { outOfPlace } from './out-of-place.js';
import { type StagedPage, stagePages } from './staged-pages.js';
import { windows } from './windows.js';

const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** A language changes no colours. */
const sameColours: RunOptions = { rules: { 'color-contrast': { enabled: false } } };

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
      ...(await findingsIn(page, 'light')),
      ...(await findingsIn(page, 'dark')),
    ]);
    expect(findings).toEqual([]);
  });

  it.concurrent('is accessible on a phone, fits it, the same on its side, a laptop and a desktop, and has no English left in another language', {
    timeout: 400_000,
  }, async () => {
    const findings = await visit(screens.phone, async (page, name) => {
      const found = await findingsIn(page, 'light');
      if (isStress) found.push(...(await findingsIn(page, 'dark')));
      found.push(...(await findingsInWindows(page)));
      await page.setViewportSize(phone);
      // A reason that was said stays in the language in which it was said.
      if (name !== 'sign-in-refused') found.push(...(await findingsInLanguages(page)));
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
  async function visit(screen: Screen, look: (page: Page, name: string) => Promise<string[]>): Promise<string[]> {
    const findings: string[] = [];
    for (const { name, isPublic, open, close } of pages) {
      const page = screen[isPublic ? 'visitor' : 'page'];
      await page.emulateMedia({ colorScheme: 'light' });
      await open(page);
      findings.push(...(await look(page, name)).map((finding) => `${name}, ${finding}`));
      await close?.(page);
    }
    return findings;
  }
});

/** In dark only what colours change. */
async function findingsIn(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  const found = await violations(page, theme === 'light' ? {} : colourRules);
  return found.map((finding) => `${theme}: ${finding}`);
}

/** Leaves the page in the last of the windows. */
async function findingsInWindows(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, { width, height }] of Object.entries(windows)) {
    await page.setViewportSize({ width, height });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    findings.push(...(await outOfPlace(page)).map((what) => `${name}: ${what}`));
  }
  return findings;
}

/** Switches while whatever is open stays open, and back to English. */
async function findingsInLanguages(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const language of ['de', 'ar'] as const) {
    await switchLanguage(page, language);
    const found = [...(await outOfPlace(page)), ...(await violations(page, sameColours)), ...(await englishLeft(page))];
    findings.push(...found.map((what) => `${language}: ${what}`));
  }
  await switchLanguage(page, 'en');
  return findings;
}
