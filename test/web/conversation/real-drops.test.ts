/** Files and folders that the browser itself drops, which without the page it would open. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, webWorld } from '../browser.js';
import { answered, composer, goTo, startThread } from '../pages/pages.js';

describe.skipIf(!hasBrowser)(`what is dropped${browserNote}`, () => {
  const world = webWorld();
  let folder: string;
  const pathOf = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skein-drop-'));
    await mkdir(pathOf('Minutes'));
    await writeFile(pathOf('notes.md'), '# Notes');
    await writeFile(pathOf('empty.txt'), '');
    await writeFile(pathOf('large.txt'), 'a'.repeat(10 * 1024 * 1024 + 1));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is attached anywhere in a conversation, and never opened, or refused by its name and for a reason of its own: a folder, an empty file, a large one', async () => {
    const page = await world.signedIn(await newcomer(world.service));
    await startThread(page, 'Hello');
    await answered(page);
    for (const place of ['.messages', '.panel', '.conversation-head', '.composer textarea']) {
      await drop(page, place, [pathOf('notes.md')]);
      await chip(page, 'notes.md').waitFor();
      await page.getByRole('button', { name: 'Remove notes.md' }).click();
    }
    await drop(page, 'main', [pathOf('Minutes'), pathOf('empty.txt'), pathOf('large.txt')]);
    await chip(page, 'Minutes').getByText('This is a folder, or a file that cannot be read.').waitFor();
    await chip(page, 'empty.txt').getByText('The file is empty.').waitFor();
    await chip(page, 'large.txt').getByText('The file is larger than 10 MB.').waitFor();
  });

  it('is not opened where nothing can be attached: in the settings, in a dialog and before signing in', async () => {
    const page = await world.signedIn(await newcomer(world.service));
    await page.goto('/settings');
    await page.getByText('This browser').waitFor();
    await drop(page, 'main', [pathOf('notes.md')]);
    await goTo(page, '/new');
    await composer(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await drop(page, '[role=dialog]', [pathOf('notes.md')]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);
    const visitor = await world.visitor();
    await visitor.goto('/');
    await visitor.getByLabel('Password').waitFor();
    await drop(visitor, 'body', [pathOf('notes.md')]);
    await visitor.getByLabel('Password').waitFor();
    for (const one of [page, visitor]) await one.context().close();
  });
});

function chip(page: Page, name: string) {
  return page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').filter({ hasText: name });
}

/** Drags files of this machine to the middle of a place, and lets them go there. What nothing takes, the browser would open. */
async function drop(page: Page, selector: string, files: string[]): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`The page has no ${selector}.`);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.evaluate(`
    globalThis.isTaken = undefined;
    addEventListener('dragover', ({ defaultPrevented }) => { globalThis.isTaken = defaultPrevented; }, { once: true });
  `);
  const protocol = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await protocol.send('Input.dispatchDragEvent', { type, ...at, data: { items: [], files, dragOperationsMask: 1 } });
  }
  await protocol.detach();
  await expect.poll(() => page.evaluate('globalThis.isTaken')).toBe(true);
}
