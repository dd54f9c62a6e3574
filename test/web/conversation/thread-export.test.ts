/** A thread as a file: every message of its active branch, also those that no page has loaded, for everybody who can read it. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { safeFileName } from '../../../src/web/threads/export/file-name.js';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, goTo, openThread, seen } from '../pages/pages.js';
import { richAnswer } from '../rich-answer.js';
import { drawn } from './held-answers.js';
import { addMessages } from './long-thread.js';

interface ThreadFile {
  format: string;
  version: number;
  id: string;
  messages: { id: string; author: { name: string } | null; contents: { type: string; text?: string }[] }[];
}

describeWeb('a thread as a file or on paper', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service, { name: 'Ada Lovelace' });
    page = await world.signedIn(person, { dark: true });
  });
  afterEach(async () => {
    await page.emulateMedia({ media: null });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
  });

  async function saved(page: Page, form: 'Markdown' | 'JSON'): Promise<{ name: string; content: string }> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Actions for this thread' }).press('Enter');
    await page.getByRole('menuitem', { name: `Download as ${form}` }).click();
    const file = await download;
    return { name: file.suggestedFilename(), content: await readFile(await file.path(), 'utf8') };
  }

  it('has every message in order with its author, in both forms, for a colleague too', async () => {
    const owner = await colleagueOf(world.service, person, { name: 'Ada *Lovelace*' });
    const threadId = await addThread(world.service, owner, { name: '../A plan: "tea" / coffee' });
    const ids = await storeMessages(world.service, threadId, [
      { role: 'summary', contents: [{ type: 'text', text: 'What came before' }] },
      ...numbered(230).map((message) => ({ ...message, active: false })),
    ]);
    await goTo(page, `/threads/${threadId}`);
    const json = await saved(page, 'JSON');
    expect(json.name).toBe('A plan tea coffee.json');
    const thread = JSON.parse(json.content) as ThreadFile;
    expect([thread.format, thread.version, thread.id]).toEqual(['skein-thread', 1, threadId]);
    expect(thread.messages.map(({ id }) => id)).toEqual(ids);
    expect(thread.messages[1]?.author?.name).toBe('Ada *Lovelace*');
    const markdown = await saved(page, 'Markdown');
    expect(markdown.name).toBe('A plan tea coffee.md');
    expect(markdown.content).toMatch(/^# \.\.\/A plan: "tea" \/ coffee\n\n## Summary, \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/);
    expect(markdown.content.match(/^## Ada \\\*Lovelace\\\*, /gm)).toHaveLength(230);
  });

  it('has only the selected version of a message, the names of files, and code that was cut off closed', async () => {
    world.service.model.enqueue([text('First answer')], [text('Second answer\n```js\nlet cut;')]);
    await goTo(page, '/new');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes_1.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('notes_1.txt').waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Read this');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answered(page);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await seen(page, 'Second answer');
    await answered(page);
    const { content } = await saved(page, 'Markdown');
    expect(content).toContain('*File: notes\\_1.txt*');
    expect(content).toContain('Second answer\n```js\nlet cut;\n```\n');
    expect(content).not.toContain('First answer');
    const { messages } = JSON.parse((await saved(page, 'JSON')).content) as ThreadFile;
    expect(messages).toHaveLength(2);
  });

  it('has the instructions and the tags of the thread, in both forms, and the page says why one was not saved', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Hi' });
    const data = { name: 'Plan', tags: ['Q3 *Budget*', 'hiring'], instructions: 'Be *brief*.\n```' };
    await world.service.database.thread.update({ where: { id: threadId }, data });
    await goTo(page, `/threads/${threadId}`);
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
    const { content } = await saved(page, 'Markdown');
    expect(content).toMatch(/^# Plan\n\nTags: Q3 \\\*Budget\\\*, hiring\n\n## /);
    expect(content).toContain('\n## Instructions\n\nBe *brief*.\n```\n```\n\n## ');
    const { tags, instructions } = data;
    expect(JSON.parse((await saved(page, 'JSON')).content)).toMatchObject({ tags, instructions });

    await page.getByRole('button', { name: 'Actions for this thread' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Download as JSON' }).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('menuitem', { name: 'Download as JSON' }).click();
    await page.getByText('The service cannot be reached.').first().waitFor();
    await page.unroute('**/graphql');
  });

  it('has every loaded message, black on white, with its author and its full date, with long lines of code wrapped, and no part of the frame around them', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Hello', name: 'On paper' });
    await addMessages(world.service, { threadId, count: 40 });
    world.service.model.enqueue([text(`\`\`\`js\nconst all = [${'1234567890, '.repeat(40)}];\n\`\`\``)]);
    await person.rest.answer(await person.rest.send(threadId, 'Some code'));
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    const messages = page.locator('.message');
    await expect.poll(() => messages.count()).toBeLessThan(30);
    const place = async () => (await messages.last().boundingBox())?.y;
    const before = await place();
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(4);
    await expect.poll(() => messages.count()).toBeLessThan(30);
    expect(await place()).toBe(before);

    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    await drawn(page);
    expect(await messages.count()).toBe(44);
    await page.getByRole('heading', { name: 'On paper', exact: true }).waitFor();
    expect(await page.getByRole('button').or(page.getByRole('textbox')).or(page.getByRole('navigation')).count()).toBe(
      0,
    );
    const paper = await page.evaluate(() => {
      const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
      const { color, backgroundColor } = getComputedStyle(document.body);
      const list = document.querySelector('.messages')?.getBoundingClientRect();
      const isCut = Math.floor(list?.bottom ?? 0) > scrollHeight;
      return { color, backgroundColor, isCut, widths: new Set([scrollWidth, clientWidth, list?.width]).size };
    });
    expect(paper).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)', isCut: false, widths: 1 });
    const first = messages.first();
    expect((await first.getByRole('heading').boundingBox())?.width).toBeGreaterThan(20);
    const heading = first.getByRole('heading');
    expect(await heading.evaluate((element) => getComputedStyle(element, '::after').content)).toBe(
      '"Message from Ada Lovelace"',
    );
    const date = await first
      .locator('time')
      .evaluate((time) => ({ title: time.getAttribute('title'), shown: getComputedStyle(time, '::after').content }));
    expect(date.title).toContain(`${new Date().getFullYear()}`);
    expect(date.shown).toBe(JSON.stringify(date.title));
    const tops = await messages.evaluateAll((all) => all.map((message) => message.getBoundingClientRect().top));
    expect(tops, 'one below the other').toEqual(tops.toSorted((one, other) => one - other));
    expect(new Set(tops).size).toBe(44);
    const code = await page.locator('.code pre').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(code).toBe(0);
  });

  it('cuts no formula that is wider than the paper: the page, which browsers shrink to the paper, is as wide', async () => {
    world.service.model.enqueue([text(`$$\n${'x_1 + '.repeat(60)} x_2\n$$`)]);
    await openThread(page, person);
    await page.emulateMedia({ media: 'print' });
    const end = () =>
      page
        .locator('.formula-block mrow')
        .last()
        .evaluate((row) => row.getBoundingClientRect().right);
    await expect.poll(end).toBeGreaterThan(1280);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(await end());
  });

  it('breaks no word in the head of a table, and no number', async () => {
    world.service.model.enqueue([text(richAnswer)]);
    await openThread(page, person);
    // The width of A4 within margins of 2 cm; browsers leave narrower ones.
    await page.setViewportSize({ width: 643, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    const heads = page.getByRole('columnheader', { name: /^(Duration|Owner)$/ });
    const numbers = page.getByRole('cell', { name: /^[\d,]+$/ });
    const lines = await heads.or(numbers).evaluateAll((cells) =>
      cells.map((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        return words.getClientRects().length;
      }),
    );
    expect(lines).toEqual(Array.from({ length: 8 }, () => 1));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

it.each([
  ['../../etc/passwd', 'etc passwd.md'],
  ['a\u202egnp.exe\u0000\n', 'agnp.exe.md'],
  ['CON', '_CON.md'],
  ['nul.txt', '_nul.txt.md'],
  ['-rf ~', 'rf ~.md'],
  ['...', 'thread.md'],
  ['C:\\x<>|?*"y', 'C x y.md'],
  ['Ünïcode 会話 🧵', 'Ünïcode 会話 🧵.md'],
  ['مرحبا بالجميع', 'مرحبا بالجميع.md'],
  ['می\u200cخواهم', 'می\u200cخواهم.md'],
  ['👩\u200d💻', '👩\u200d💻.md'],
  ['🧵'.repeat(200), `${'🧵'.repeat(60)}.md`],
])('the name of a file of a thread of %j is safe for every file system', (name, file) => {
  expect(safeFileName(name, 'md')).toBe(file);
  expect(Buffer.byteLength(safeFileName(name, 'md'))).toBeLessThan(255);
});

/** How many pages a PDF of Chromium has. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
