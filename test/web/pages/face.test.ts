/** What the application looks like: its fonts, and the strand beside a conversation. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answers, seen, startThread, write } from './pages.js';
import { pixels } from './painted.js';

it('the fonts are two, of at most 60 KB together', async () => {
  const folder = join(import.meta.dirname, '../../../dist/web/assets');
  const fonts = (await readdir(folder)).filter((name) => name.endsWith('.woff2'));
  const sizes = await Promise.all(fonts.map(async (name) => (await stat(join(folder, name))).size));
  expect(fonts).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60 * 1024);
});

describeWeb('the looks of the application', (world) => {
  it('have the fonts that Skein serves, from the second page on at the latest, and a strand that tells people, versions, work and stops', async () => {
    const owner = await newcomer(world.service);
    world.service.model.enqueue([text('```\ncode\n```')]);
    const page = await world.signedIn(owner);
    const threadId = await startThread(page, 'Show me code');
    await answered(page);
    await page.reload();
    await seen(page, 'code');
    const loaded = "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family).sort()";
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
