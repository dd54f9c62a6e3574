/**
 * Every page in each of its states: axe finds no problem, not even a moderate or minor one, in both themes, in a wide window and
 * on a phone; the page fits each of four windows, in text of the sizes of the scale; and it has no English left in German, whose
 * words are long, and in Arabic, which runs from the right. A page is opened once, since that costs the most, and looked at in all
 * of these ways: by all rules in the first theme, and in the other one by those about colours, since a theme changes nothing else. A
 * phone has the colours of a wide window, and shows the other theme in the project `stress` only. The windows are those of a touch
 * screen, whose controls are larger. What only a mouse that hovers shows differently is in a list and a conversation that were just
 * loaded.
 */
import type { RunOptions } from 'axe-core';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStress } from '../../support/case-counts.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from '../browser.js';
import { drawn } from '../conversation/held-answers.js';
import { englishLeft } from '../language/english-left.js';
import { switchLanguage } from '../language/switch-language.js';
import { violations } from './axe.js';
import { outOfPlace } from './out-of-place.js';
import { composer } from './pages.js';
import { type StagedPage, stagePages } from './staged-pages.js';
import { windows } from './windows.js';

const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** A language changes no colours. */
const sameColours: RunOptions = { rules: { 'color-contrast': { enabled: false } } };

interface Window {
  width: number;
  height: number;
  isTouch?: boolean;
}

/** The pages that fit a phone where text is twice as large, in words as long as those of German. */
const largeText = new Set([
  ...['threads', 'menu', 'account', 'tokens', 'members', 'usage', 'feedback-list'],
  ...['tags', 'details', 'feedback', 'keys', 'palette', 'removal', 'person-search', 'instructions', 'deletion'],
]);

const wide: Window = { width: 1280, height: 800 };
/** Of all windows the narrowest phone is the last, because it is looked at in further ways. */
const { laptop, desktop, sideways } = windows;
const touched = { laptop, desktop, sideways, phone: { width: 360, height: 740 } };

/** A page whose window changes its size, and a mouse for a finger, while it is open. */
class Screen {
  private constructor(
    readonly page: Page,
    private readonly inspector: CDPSession,
  ) {}

  static async of(page: Page): Promise<Screen> {
    return new Screen(page, await page.context().newCDPSession(page));
  }

  /** The mouse hovers again with the next load. */
  async show({ width, height, isTouch = false }: Window): Promise<void> {
    await this.inspector.send('Emulation.setTouchEmulationEnabled', { enabled: isTouch, maxTouchPoints: 1 });
    await this.page.setViewportSize({ width, height });
    await drawn(this.page);
  }
}

describe.skipIf(!hasBrowser)(`every page${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  let person: Screen;
  let visitor: Screen;
  beforeAll(async () => {
    // Several, so that the choice is on the pages too.
    world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    const admin = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    pages = await stagePages(world, admin);
    person = await Screen.of(await world.signedIn(admin));
    visitor = await Screen.of(await world.visitor());
  });
  afterAll(() => world.stop());

  it('is accessible in a wide window, light and dark, and on a phone, fits each window, and has no English left in another language; some fit a phone where text is twice as large, in German words', {
    timeout: 400_000,
  }, async () => {
    const findings: string[] = [];
    for (const { name, isPublic = false, open, close } of pages.filter(({ isScrolled }) => !isScrolled)) {
      const screen = isPublic ? visitor : person;
      await screen.show(wide);
      await screen.page.emulateMedia({ colorScheme: 'light' });
      await open(screen.page);
      findings.push(...(await findingsOn(screen, name)).map((finding) => `${name}, ${finding}`));
      await close?.(screen.page);
    }
    expect(findings).toEqual([]);
  });

  it('of the settings is in reach on a phone, and the cells of a wide table have few lines', async () => {
    const { page } = person;
    await person.show(windows.phone);
    await pages.find(({ name }) => name === 'usage')?.open(page);
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    const { right, rows } = await tabs.evaluate((nav) => {
      const boxes = [...nav.children].map((tab) => tab.getBoundingClientRect());
      return { right: Math.max(...boxes.map((box) => box.right)), rows: new Set(boxes.map((box) => box.top)).size };
    });
    expect({ isInWindow: right <= 390, rows }).toEqual({ isInWindow: true, rows: 1 });
    // A tablet beside the list has no more room for a conversation than a phone.
    for (const window of [windows.phone, { width: 768, height: 1024 }]) {
      await person.show(window);
      await pages.find(({ name }) => name === 'rich-table')?.open(page);
      const heights = await page
        .locator('.rich td')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
      expect(heights.length).toBeGreaterThan(0);
      expect(Math.max(...heights)).toBeLessThan(75);
    }
  });

  it('draw the arrows of choices in the size of the text', async () => {
    const { page } = person;
    await person.show(windows.desktop);
    await pages.find(({ name }) => name === 'usage')?.open(page);
    const arrow = (size: string) =>
      page
        .locator('select')
        .first()
        .evaluate((choice, fontSize) => {
          document.documentElement.style.fontSize = fontSize;
          return Number.parseFloat(getComputedStyle(choice).backgroundSize);
        }, size);
    const [larger, usual] = [await arrow('32px'), await arrow('')];
    expect(larger / usual).toBe(2);
  });

  it('leave room to search and to write where text is twice as large on a phone', async () => {
    const { page } = person;
    await person.show({ width: 195, height: 422, isTouch: true });
    const roomOf = async (name: string, field: Locator) => {
      await pages.find((one) => one.name === name)?.open(page);
      return (await field.boundingBox())?.width;
    };
    expect(await roomOf('threads', page.getByLabel('Search threads'))).toBeGreaterThan(150);
    expect(await roomOf('new', composer(page))).toBeGreaterThan(120);
    expect(await roomOf('rich-end', composer(page))).toBeGreaterThan(120);
  });

  it('of a conversation has the tools of messages in reach where text is twice as large on a phone', async () => {
    const { page } = person;
    await person.show({ width: 195, height: 422, isTouch: true });
    await pages.find(({ name }) => name === 'rich-end')?.open(page);
    const tools = page.locator('.message-assistant .message-tools').last();
    await tools.getByRole('button', { name: 'Good answer' }).waitFor();
    const ends = await tools.evaluate((row) => [...row.children].map((tool) => tool.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(195);
  });
});

async function findingsOn(screen: Screen, name: string): Promise<string[]> {
  const { page } = screen;
  const found = [...(await findingsIn(page, 'light')), ...(await findingsIn(page, 'dark'))];
  found.push(...(await findingsInWindows(screen)));
  // A reason that was said stays in the language in which it was said.
  const isTranslated = name !== 'sign-in-refused';
  if (isStress || !isTranslated) found.push(...(await findingsIn(page, 'light')));
  if (isStress) found.push(...(await findingsIn(page, 'dark')));
  if (isTranslated) found.push(...(await findingsInLanguages(screen, name)));
  return found;
}

/** In dark only what colours change. */
async function findingsIn(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  const found = await violations(page, theme === 'light' ? {} : colourRules);
  return found.map((finding) => `${theme}: ${finding}`);
}

/** Leaves the page on the phone. */
async function findingsInWindows(screen: Screen): Promise<string[]> {
  const { page } = screen;
  const findings: string[] = [];
  for (const [name, { width, height }] of Object.entries(touched)) {
    await screen.show({ width, height, isTouch: true });
    findings.push(...(await outOfPlace(page)).map((what) => `${name}: ${what}`));
  }
  return findings;
}

/** Switches while whatever is open stays open, and back to English. */
async function findingsInLanguages(screen: Screen, name: string): Promise<string[]> {
  const { page } = screen;
  const findings: string[] = [];
  for (const language of ['de', 'ar'] as const) {
    await switchLanguage(page, language);
    const found = [...(await outOfPlace(page)), ...(await englishLeft(page))];
    // What axe looks at is the same in each language, but for the direction.
    if (language === 'ar') found.push(...(await violations(page, sameColours)));
    else if (largeText.has(name)) found.push(...(await findingsInLargeText(screen)));
    findings.push(...found.map((what) => `${language}: ${what}`));
  }
  await switchLanguage(page, 'en');
  return findings;
}

/** As if the text were twice as large. */
async function findingsInLargeText(screen: Screen): Promise<string[]> {
  await screen.show({ width: 195, height: 422, isTouch: true });
  const boxes = screen.page.locator('html, .settings, .panel, .dialog');
  const found = await boxes.evaluateAll((all) =>
    all.filter((box) => box.scrollWidth > box.clientWidth).map((box) => `large text: wider: ${box.className}`),
  );
  await screen.show({ ...touched.phone, isTouch: true });
  return found;
}
