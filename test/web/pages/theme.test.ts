/**
 * What the application looks like: its theme, its fonts, and the strand beside a conversation. The theme is what is painted, in the
 * files as they are built: the colours of the setting, whatever the system prefers. A style property would not do as evidence,
 * since a build that lowers `light-dark()` for old browsers leaves it without effect.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answeredThread, answers, composer, goTo, seen, write } from './pages.js';

/** From the style sheets, as red, green and blue. */
const designed = {
  light: { paper: '252 250 245', panel: '244 240 231', ink: 'rgb(33, 29, 24)', keyword: 'rgb(161, 33, 107)' },
  dark: { paper: '27 24 21', panel: '21 19 16', ink: 'rgb(236, 230, 220)', keyword: 'rgb(255, 154, 200)' },
};
const settings = ['system', 'light', 'dark'] as const;
const preferences = ['light', 'dark'] as const;

it('the fonts are two, of at most 60 KB together', async () => {
  const folder = join(import.meta.dirname, '../../../dist/web/assets');
  const fonts = (await readdir(folder)).filter((name) => name.endsWith('.woff2'));
  const sizes = await Promise.all(fonts.map(async (name) => (await stat(join(folder, name))).size));
  expect(fonts).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60 * 1024);
});

describeWeb('the looks', (world) => {
  describe('the theme', () => {
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
      await answeredThread(page, 'Hello');
      await page.locator('.hljs-keyword').first().waitFor();
    }
  });

  describe('the looks of the application', () => {
    it('have the fonts that Skein serves, from the second page on at the latest, and a strand that tells people, versions, work and stops', async () => {
      const owner = await newcomer(world.service);
      world.service.model.enqueue([text('```\ncode\n```')]);
      const page = await world.signedIn(owner);
      const threadId = await answeredThread(page, 'Show me code');
      await page.reload();
      await seen(page, 'code');
      const loaded =
        "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family).sort()";
      await expect.poll(() => page.evaluate(loaded)).toEqual(['Source Code Pro Variable', 'Source Sans 3 Variable']);
      await splits(page);
      await twists(page);
      const colleague = await colleagueOf(world.service, owner);
      await colleague.rest.answer(await colleague.rest.send(threadId, 'Theirs'));
      await hasColours(page);
      await breaks(page);
    });

    /** Of each person, and of the assistant. */
    async function hasColours(page: Page): Promise<void> {
      const [mine, theirs] = ['Hello', 'Theirs'].map((words) => page.locator('.message-user', { hasText: words })) as [
        Locator,
        Locator,
      ];
      await theirs.waitFor();
      const colours = await Promise.all(
        [mine, theirs, answers(page).last()].map((row) => strandOf(row, 'backgroundColor')),
      );
      expect(colours.every((colour) => !/, 0\)$|transparent/.test(colour))).toBe(true);
      expect(colours[2]).not.toBe(colours[0]);
      const marks = await Promise.all([mine, theirs].map((row) => row.getAttribute('data-colour')));
      expect(colours[0] === colours[1]).toBe(marks[0] === marks[1]);
    }

    /** Where an answer was stopped. */
    async function breaks(page: Page): Promise<void> {
      world.service.model.enqueue([text('A third'), wait(gate().passed)]);
      await write(page, 'Go on');
      await seen(page, 'A third');
      await page.keyboard.press('Escape');
      await seen(page, 'The answer was stopped.');
      await expect.poll(() => strandOf(answers(page).last(), 'maskImage')).toContain('gradient');
      await expect.poll(() => strandOf(page.locator('.message-user').last(), 'maskImage')).toBe('none');
    }

    /** At a message that has other versions, and nowhere else. */
    async function splits(page: Page): Promise<void> {
      await expect.poll(() => threadsBeside(page, page.locator('.message-user'))).toEqual({ above: 1, below: 1 });
      world.service.model.enqueue([text('Another way.')]);
      await page.getByRole('button', { name: 'Regenerate' }).click();
      await seen(page, 'Another way.');
      await answered(page);
      await page.mouse.move(0, 0);
      await expect.poll(() => threadsBeside(page, page.locator('.message-user'))).toEqual({ above: 1, below: 2 });
      await expect.poll(() => threadsBeside(page, answers(page).last())).toEqual({ above: 1, below: 1 });
    }

    /** While the model works, at no cost to the page. Nothing moves where motion is unwanted. */
    async function twists(page: Page): Promise<void> {
      const end = gate();
      world.service.model.enqueue([text('Half'), wait(end.passed)]);
      await write(page, 'Hello');
      await seen(page, 'Half');
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await expect.poll(() => moving(page)).toContain('twist');
      // What a browser moves without painting the page anew in every frame.
      expect(await movedProperties(page)).toEqual(['opacity', 'transform']);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await expect.poll(() => moving(page)).toEqual([]);
      await expect.poll(() => strandOf(answers(page).last(), 'maskImage')).toMatch(/^url\(/);
      end.open();
      await answered(page);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await expect.poll(() => moving(page)).toEqual([]);
    }
  });
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

function strandOf(row: Locator, property: 'backgroundColor' | 'maskImage'): Promise<string> {
  return row.evaluate((element, name) => getComputedStyle(element, '::after')[name], property);
}

/** How many threads are painted beside a message: at its upper edge, and where they have parted. */
async function threadsBeside(page: Page, message: Locator): Promise<{ above: number; below: number }> {
  const box = await message.boundingBox();
  if (!box) throw new Error('The message is not shown.');
  const threadsAt = async (y: number) => {
    let [count, wasThread] = [0, false];
    const [paper, , ...beside] = await pixels(page, { x: Math.round(box.x) - 2, y, width: 16 });
    for (const colour of beside) {
      const isThread = colour !== paper;
      if (isThread && !wasThread) count += 1;
      wasThread = isThread;
    }
    return count;
  };
  return { above: await threadsAt(Math.ceil(box.y) + 1), below: await threadsAt(Math.round(box.y) + 26) };
}

/** What moves without an end. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY)
      .map((animation) => (animation as CSSAnimation).animationName),
  );
}

/** The properties that are animated. */
function movedProperties(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ofFrame = ['offset', 'computedOffset', 'easing', 'composite'];
    const frames = document.getAnimations().flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
    return [...new Set(frames.flatMap(Object.keys))].filter((name) => !ofFrame.includes(name)).sort();
  });
}

/** The colour of a pixel of the window. */
async function pixel(page: Page, x: number, y: number): Promise<string> {
  const [only = ''] = await pixels(page, { x, y, width: 1 });
  return only;
}

/** The colours of pixels that stand side by side, from the left. */
async function pixels(page: Page, row: { x: number; y: number; width: number }): Promise<string[]> {
  const picture = await page.screenshot({ clip: { ...row, height: 1 } });
  // The header says of what kind the colours are: of three bytes, or of four with their opacity.
  const size = picture.readUInt8(25) === 6 ? 4 : 3;
  const [filter = 0, ...bytes] = inflateSync(Buffer.concat(imageDataOf(picture)));
  // Nothing is above the first row, so that two of the five filters leave it as it is, and two add the byte to the left.
  const parts = { 0: 0, 1: 1, 2: 0, 3: 0.5, 4: 1 }[filter] ?? Number.NaN;
  bytes.forEach((byte, index) => {
    bytes[index] = (byte + Math.floor((bytes[index - size] ?? 0) * parts)) % 256;
  });
  return Array.from({ length: row.width }, (_, index) => bytes.slice(index * size, index * size + 3).join(' '));
}

/** The parts of a PNG file that hold its pixels. Each has its length and its kind before it, and a checksum after it. */
function imageDataOf(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, end));
    at = end + 4;
  }
  return parts;
}
