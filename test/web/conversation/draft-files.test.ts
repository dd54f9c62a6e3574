/**
 * Files come into a message from anywhere on the page, are told apart there, and stay until they are sent: none is lost, left
 * behind or sent twice.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, inject, it } from 'vitest';
import { pixel } from '../../graphql/attachments/attached-file.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, composer, goTo, growingAnswer, leaveThread, openThread, seen, write } from '../pages/pages.js';
import { drawn, HeldAnswers } from './held-answers.js';

interface FileInPage {
  name: string;
  type: string;
  base64: string;
}

describeWeb('the files of a draft', (world) => {
  let person: Person;
  let page: Page;
  let folder: string;
  const pathOf = (name: string) => join(folder, name);
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
    folder = await mkdtemp(join(inject('testScratch'), 'drop-'));
    await mkdir(pathOf('Minutes'));
    await writeFile(pathOf('notes.md'), '# Notes');
    await writeFile(pathOf('empty.txt'), '');
    await writeFile(pathOf('large.txt'), 'a'.repeat(10 * 1024 * 1024 + 1));
  });

  it('attaches what is dropped anywhere, and what is pasted while the messages have the focus, but no picture of pasted text; shows thumbnails and names', async () => {
    await openThread(page, person);
    await drag(page, 'dragenter', [note('dropped.md')]);
    await page.getByText('Drop files to attach them').waitFor();
    expect(await drag(page, 'drop', [note('dropped.md')])).toBe('handled');
    await chip(page, 'dropped.md').waitFor();
    await page.getByText('Drop files to attach them').waitFor({ state: 'detached' });

    await paste(page, '.messages-scroll', { files: [note('pasted.md')] });
    await chip(page, 'pasted.md').waitFor();
    expect(await paste(page, 'input[type=search]', { files: [note('elsewhere.md')] })).toBe('left');
    expect(await chip(page, 'elsewhere.md').count()).toBe(0);
    const files = [picture('text.png')];
    expect(await paste(page, '.composer textarea', { files, texts: ['text/plain', 'text/html'] })).toBe('left');
    expect(await chip(page, 'text.png').count()).toBe(0);
    expect(await paste(page, '.composer textarea', { files, texts: ['text/html'] })).toBe('handled');
    const thumbnail = chip(page, 'text.png').locator('img');
    await expect.poll(() => thumbnail.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);

    const name = 'Minutes of the meeting about the harbour, second draft.md';
    await attach(page, [note(name)]);
    const words = chip(page, name).locator('bdi');
    expect(await words.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  });

  it('attaches a pasted text that is too long for a message as a file, and leaves a shorter one, and other fields, to the browser', async () => {
    await openThread(page, person);
    const field = '.composer textarea';
    const tooLong = 'ä'.repeat(100_001);
    expect(await paste(page, field, { files: [], texts: ['text/plain'], text: tooLong.slice(1) })).toBe('left');
    expect(await paste(page, 'input[type=search]', { files: [], texts: ['text/plain'], text: tooLong })).toBe('left');
    const texts = ['text/plain', 'text/html'];
    expect(await paste(page, field, { files: [picture('text.png')], texts, text: tooLong })).toBe('handled');
    await chip(page, 'text.txt').waitFor();
    await page.getByText('Uploading…').waitFor({ state: 'detached' });
    await composer(page).press('Enter');
    await page.getByRole('link', { name: /text\.txt.*200 kB/ }).waitFor();
    expect(await page.getByRole('link', { name: /text\.(txt|png)/ }).count()).toBe(1);
  });

  it('cuts a long name on a phone, and not its button', async () => {
    const phone = await world.signedIn(person, { width: 390, height: 844, isTouch: true });
    await openThread(phone, person);
    await attach(phone, [note(`${'Minutes '.repeat(20)}.md`)]);
    const box = await phone.getByRole('button', { name: /^Remove Minutes/ }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  });

  it('keeps files through a reload and while another thread is open, and finishes their upload, until they are sent', async () => {
    await openThread(page, person);
    const { pathname } = new URL(page.url());
    await attach(page, [note('kept.md'), picture('kept.png')]);
    await page.reload();
    await chip(page, 'kept.md').waitFor();
    await chip(page, 'kept.png').locator('img').waitFor();
    const uploading = await HeldAnswers.of(page, { operation: 'UploadAttachment' });
    await choose(page, [note('slow.md')]);
    await uploading.waitFor(1);
    await leaveThread(page);
    expect(await chip(page, 'kept.md').count()).toBe(0);
    uploading.end();
    await page.goBack();
    for (const name of ['kept.md', 'slow.md']) await chip(page, name).waitFor();
    await page.getByText('Uploading…').waitFor({ state: 'detached' });
    await composer(page).fill('All of them');
    await composer(page).press('Enter');
    for (const name of [/kept\.md/, /slow\.md/]) await page.getByRole('link', { name }).waitFor();
    await answered(page);
    await page.reload();
    await page.waitForURL(`**${pathname}`);
    await page.getByRole('link', { name: /kept\.md/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove kept.md' }).count()).toBe(0);
  });

  it('attaches source code and other texts, whatever the system calls their type', async () => {
    await openThread(page, person);
    const types = {
      'main.py': 'text/x-python',
      'main.ts': 'video/mp2t',
      'values.yaml': 'application/yaml',
      'patch.orig': 'text/x-diff',
    };
    const base64 = btoa('a: 1\n');
    await attach(
      page,
      Object.entries(types).map(([name, type]) => ({ name, type, base64 })),
    );
    await composer(page).press('Enter');
    for (const name of Object.keys(types)) {
      await page.getByRole('link', { name: new RegExp(`^${name}.*5 bytes`) }).waitFor();
    }
    await answered(page);
  });

  it('names every refused file and the reason: wrong type, too many; and says after a reload which were refused or cut off, until they are removed', async () => {
    await openThread(page, person);
    await attach(page, [note('whole.md')]);
    const refusal = chip(page, 'tool.exe').getByText('This file type is not supported.');
    await choose(page, [{ name: 'tool.exe', type: 'application/x-msdownload', base64: 'TVo=' }]);
    await refusal.waitFor();
    const uploading = await HeldAnswers.of(page, { operation: 'UploadAttachment' });
    await choose(page, [note('half.md')]);
    await uploading.waitFor(1);
    await page.reload();
    await refusal.waitFor();
    await chip(page, 'half.md').getByText('The upload was cut off. Attach the file again.').waitFor();
    for (const name of ['tool.exe', 'half.md']) await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.reload();
    await chip(page, 'whole.md').waitFor();
    expect(await page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').count()).toBe(1);
    uploading.end();
    await choose(
      page,
      Array.from({ length: 11 }, (_, index) => note(`n${index}.md`)),
    );
    const tooMany = page.getByRole('alert').filter({ hasText: 'Not attached' });
    await tooMany.waitFor();
    await expect.poll(() => tooMany.innerText()).toMatch(/at most 10 files.*n9\.md, n10\.md/s);
    await drawn(page);
  });

  it('a dropped file is attached anywhere in a conversation, and never opened, or refused by its name and for a reason of its own: a folder, an empty file, a large one', async () => {
    await openThread(page, person);
    for (const place of ['.messages', '.panel', '.conversation-head', '.composer textarea']) {
      await dropReally(page, place, [pathOf('notes.md')]);
      await chip(page, 'notes.md').waitFor();
      await page.getByRole('button', { name: 'Remove notes.md' }).click();
    }
    await dropReally(page, 'main', [pathOf('Minutes'), pathOf('empty.txt'), pathOf('large.txt')]);
    await chip(page, 'Minutes').getByText('This is a folder, or a file that cannot be read.').waitFor();
    await chip(page, 'empty.txt').getByText('The file is empty.').waitFor();
    await chip(page, 'large.txt').getByText('The file is larger than 10 MB.').waitFor();
  });

  it('a dropped file is not opened where nothing can be attached: in the settings, in a dialog and before signing in', async () => {
    await goTo(page, '/settings');
    await page.getByText('This browser').waitFor();
    await dropReally(page, 'main', [pathOf('notes.md')]);
    await goTo(page, '/new');
    await composer(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await dropReally(page, '[role=dialog]', [pathOf('notes.md')]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);
    const visitor = await world.visitor();
    await visitor.goto('/');
    await visitor.getByLabel('Password').waitFor();
    await dropReally(visitor, 'body', [pathOf('notes.md')]);
    await visitor.getByLabel('Password').waitFor();
  });

  it('sends a file without any text, and a CSV file as such, whatever the system calls it; names a new thread after its file; and forgets files at sign-out', async () => {
    const page = await world.signedIn(person);
    await openThread(page, person);
    await attach(page, [note('alone.md')]);
    world.service.model.enqueue([text('It is about tea.')]);
    await composer(page).press('Enter');
    await page.getByRole('link', { name: /alone\.md/ }).waitFor();
    await seen(page, 'It is about tea.');
    await leaveThread(page);
    await attach(page, [{ name: 'sums.csv', type: 'application/vnd.ms-excel', base64: btoa('a,b\n1,2\n') }]);
    await composer(page).press('Enter');
    await page.getByRole('heading', { name: 'sums.csv' }).waitFor();
    await page
      .getByRole('article')
      .getByRole('link', { name: /sums\.csv.*8 bytes/ })
      .waitFor();
    await answered(page);

    await attach(page, [note('kept.md')]);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('This browser').waitFor();
    expect(await drag(page, 'drop', [note('dropped.md')]), 'where none can be attached').toBe('handled');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('kept.md');
  });

  it('keeps a file that was added while a message was on its way, sends no file twice, and restores the files and the text of a refused message', async () => {
    await openThread(page, person);
    await attach(page, [note('first.md')]);
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage' });
    await write(page, 'With the first');
    await sending.waitFor(1);
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'first.md' }).count()).toBe(0);
    await attach(page, [note('second.md')]);
    sending.end();
    await answered(page);
    await page.getByRole('link', { name: /first\.md/ }).waitFor();
    await page.getByRole('button', { name: 'Remove second.md' }).waitFor();

    const refused = await HeldAnswers.of(page, { operation: 'SendMessage', isLost: true });
    await write(page, 'Refused');
    await refused.waitFor(1);
    await composer(page).fill('and more');
    refused.release(0);
    await refused.waitFor(2);
    refused.release(1);
    await page.getByText('The service cannot be reached').waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe('Refused\nand more');
    await page.getByRole('button', { name: 'Remove second.md' }).waitFor();
    refused.letThrough();
  });

  it('uploads three of ten files at a time', async () => {
    await page.getByRole('link', { name: 'New thread' }).click();
    const held: Route[] = [];
    await page.route(/\/attachments\//, (route) => void held.push(route));
    const names = Array.from({ length: 10 }, (_, n) => `${n}.md`);
    await choose(page, names.map(note));
    for (let sent = 0; sent < names.length; sent += 1) {
      await expect.poll(() => held.length).toBe(Math.min(sent + 3, names.length));
      await held[sent]?.continue();
    }
    await expect.poll(() => page.getByText('Uploading…').count()).toBe(0);
    for (const name of names) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await page.unroute(/\/attachments\//);
  });

  it('does not interrupt an answer before the files are uploaded', async () => {
    await growingAnswer(world, page);
    await write(page, 'And this');
    const uploading = await HeldAnswers.of(page, { operation: 'UploadAttachment' });
    await choose(page, [note('late.md')]);
    await uploading.waitFor(1);
    // Who tests waits until a button can be pressed; people do not.
    await page.getByRole('button', { name: 'Interrupt and send' }).click({ force: true });
    await expect.poll(() => composer(page).inputValue()).toBe('And this');
    uploading.end();
    await page.getByText('Uploading…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Interrupt and send' }).click();
    await page.getByRole('link', { name: /late\.md/ }).waitFor();
  });
});

const note = (name: string): FileInPage => ({ name, type: 'text/markdown', base64: btoa('# Notes') });
const picture = (name: string): FileInPage => ({
  name,
  type: 'image/png',
  base64: Buffer.from(pixel.content).toString('base64'),
});

function chip(page: Page, name: string) {
  return page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').filter({ hasText: name });
}

async function choose(page: Page, files: FileInPage[]): Promise<void> {
  await page
    .getByLabel('Files to attach')
    .setInputFiles(
      files.map(({ name, type, base64 }) => ({ name, mimeType: type, buffer: Buffer.from(base64, 'base64') })),
    );
}

async function attach(page: Page, files: FileInPage[]): Promise<void> {
  await choose(page, files);
  for (const { name } of files) await chip(page, name).waitFor();
  await page.getByText('Uploading…').first().waitFor({ state: 'detached' });
}

/** Says whether the page handled the event, so that the browser does nothing of its own. */
type Handling = 'handled' | 'left';

function drag(page: Page, type: 'dragenter' | 'drop', files: FileInPage[]): Promise<Handling> {
  return page.evaluate(
    ({ type, files }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, type, base64 } of files) {
        const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([content], name, { type }));
      }
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('main')?.dispatchEvent(event);
      return event.defaultPrevented ? 'handled' : 'left';
    },
    { type, files },
  );
}

function paste(
  page: Page,
  selector: string,
  what: { files: FileInPage[]; texts?: string[]; text?: string },
): Promise<Handling> {
  return page.evaluate(
    ({ selector, files, texts, text }) => {
      const clipboardData = new DataTransfer();
      for (const type of texts) clipboardData.setData(type, text);
      for (const { name, type, base64 } of files) {
        const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        clipboardData.items.add(new File([content], name, { type }));
      }
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector(selector)?.dispatchEvent(event);
      return event.defaultPrevented ? 'handled' : 'left';
    },
    { selector, texts: [], text: 'Words', ...what },
  );
}

/** Drags files of this machine to the middle of a place, and lets them go there. What nothing takes, the browser would open. */
async function dropReally(page: Page, selector: string, files: string[]): Promise<void> {
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
