/** The files of a message while it is on its way: none is lost, left behind or sent twice. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, composer, startThread, write } from '../pages/pages.js';
import { growingAnswer } from './growing-answer.js';
import { HeldAnswers } from './held-answers.js';

describeWeb('the files of a message', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('keeps a file that was added while a message was on its way, sends no file twice, and restores the files and the text of a refused message', async () => {
    await startThread(page, 'Hello');
    await answered(page);
    await attach(page, 'first.md');
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage' });
    await write(page, 'With the first');
    await sending.waitFor(1);
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'first.md' }).count()).toBe(0);
    await attach(page, 'second.md');
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
    await page.getByLabel('Files to attach').setInputFiles(names.map(file));
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
    await page.getByLabel('Files to attach').setInputFiles([file('late.md')]);
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

const file = (name: string) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from('# Notes') });

async function attach(page: Page, name: string): Promise<void> {
  await page.getByLabel('Files to attach').setInputFiles([file(name)]);
  await page.getByRole('listitem').filter({ hasText: name }).waitFor();
  await page.getByText('Uploading…').waitFor({ state: 'detached' });
}
