/**
 * The theme is what is painted, in the files as they are built: the colours of the setting, whatever the system prefers. A style
 * property would not do as evidence, since a build that lowers `light-dark()` for old browsers leaves it without effect.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { text } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, composer, goTo, startThread } from './pages.js';
import { pixel } from './painted.js';

/** From the style sheets, as red, green and blue. */
const designed = {
  light: { paper: '252 250 245', panel: '244 240 231', ink: 'rgb(33, 29, 24)', keyword: 'rgb(161, 33, 107)' },
  dark: { paper: '27 24 21', panel: '21 19 16', ink: 'rgb(236, 230, 220)', keyword: 'rgb(255, 154, 200)' },
};
const settings = ['system', 'light', 'dark'] as const;
const preferences = ['light', 'dark'] as const;

describeWeb('the theme', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('is that of the system on the page of a sign-in link', async () => {
    const page = await world.visitor();
    await page.goto(await world.link(await newcomer(world.service)));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const colorScheme of preferences) {
      await page.emulateMedia({ colorScheme });
      const { paper, ink } = designed[colorScheme];
      const painted = async () => ({ paper: await pixel(page, 1270, 400), ink: await colour(page, 'body') });
      await expect.poll(painted, { message: colorScheme }).toEqual({ paper, ink });
    }
  });

  it('has no pale text where the system asks for more contrast', async () => {
    await conversation();
    const time = () => colour(page, '.message-tools time');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(time).not.toBe(designed.light.ink);
    for (const colorScheme of preferences) {
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      await expect.poll(time, { message: colorScheme }).toBe(designed[colorScheme].ink);
    }
    await page.emulateMedia({ contrast: 'no-preference' });
  });

  it('leaves what is chosen marked where the system has its own colours', async () => {
    await conversation();
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = (chosen: string) =>
      page
        .locator(chosen)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle);
    for (const chosen of ['a[aria-current]', 'button[aria-pressed=true]']) {
      expect(await outline(chosen), chosen).toBe('solid');
    }
    await goTo(page, '/new');
    expect(await outline('label:has(:checked)')).toBe('solid');
    expect(await outline('label:has([type=radio]:not(:checked))')).toBe('none');
    await goTo(page, '/settings');
    const line = await page.getByRole('link', { name: 'Members' }).evaluate((tab) => ({
      drawn: getComputedStyle(tab).borderBottomColor,
      paper: getComputedStyle(document.body).backgroundColor,
    }));
    expect(line.drawn, 'below what is not chosen').toBe(line.paper);
    expect(await outline('.settings-tabs a[aria-current]'), 'which has a line below it').toBe('none');
  });

  it('draws the focus thicker than what is chosen, and what is drawn in a field, where the system has its own colours', async () => {
    await conversation();
    await page.emulateMedia({ forcedColors: 'active' });
    const line = (of: Locator) => of.evaluate((element) => getComputedStyle(element).outlineWidth);
    const chosen = page.getByRole('button', { name: 'All', exact: true });
    expect(await line(chosen)).toBe('2px');
    await chosen.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await line(chosen)).toBe('4px');
    await composer(page).focus();
    expect(await line(page.locator('.composer-box'))).toBe('1px');
    const field = page.getByRole('searchbox', { name: 'Search threads' });
    await field.fill('a');
    const { x, y, width, height } = (await field.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // The middle of the mark that clears it.
    await expect
      .poll(() => pixel(page, x + width - 24, y + height / 2))
      .not.toBe(await pixel(page, x + width / 2, y + 8));
    await field.clear();
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('paints the colours of the setting, whatever the system prefers, also when the application has loaded again', async () => {
    await conversation();
    await staysOverLoads(page);
    for (const setting of settings) {
      await choose(page, setting);
      for (const colorScheme of preferences) {
        await page.emulateMedia({ colorScheme });
        const expected = designed[setting === 'system' ? colorScheme : setting];
        await expect
          .poll(() => paintedIn(page), { message: `${setting}, where the system prefers ${colorScheme}` })
          .toEqual(expected);
      }
    }
  }, 60_000);

  async function staysOverLoads(page: Page): Promise<void> {
    for (const [setting, colorScheme] of [
      ['light', 'dark'],
      ['dark', 'light'],
    ] as const) {
      await choose(page, setting);
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.locator('.hljs-keyword').first().waitFor();
      await expect.poll(() => paintedIn(page), { message: `${setting} after a load` }).toEqual(designed[setting]);
    }
  }

  /** A conversation with highlighted code, whose colours are in a style sheet of their own. */
  async function conversation(): Promise<void> {
    world.service.model.enqueue([text('```ts\nconst a = 1;\n```')]);
    await startThread(page, 'Hello');
    await answered(page);
    await page.locator('.hljs-keyword').first().waitFor();
  }
});

it('the style sheets as they are built have both values of every colour', () => {
  const written = styleSheets('src/web').replace(/\/\*.*?\*\//gs, '');
  const built = styleSheets('dist/web/assets');
  expect(count(built, 'light-dark(')).toBe(count(written, 'light-dark('));
  expect(count(built, 'prefers-color-scheme')).toBe(0);
});

function styleSheets(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Presses the switch until it has the setting. */
async function choose(page: Page, setting: (typeof settings)[number]): Promise<void> {
  const button = page.getByRole('button', { name: /^Theme: / });
  for (let presses = 0; presses < settings.length; presses += 1) {
    if ((await button.getAttribute('aria-label'))?.startsWith(`Theme: ${setting}.`)) return;
    await button.click();
  }
  throw new Error(`The switch has no setting "${setting}".`);
}

async function paintedIn(page: Page) {
  return {
    paper: await pixel(page, 1270, 400),
    panel: await pixel(page, 2, 400),
    ink: await colour(page, 'body'),
    keyword: await colour(page, '.hljs-keyword'),
  };
}

function colour(page: Page, selector: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).color);
}
