/** A thread as a file: every message of its active branch, also those that no page has loaded, for everybody who can read it. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { safeFileName } from '../../../src/web/threads/export/file-name.js';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, goTo, seen } from '../pages/pages.js';

interface ThreadFile {
  format: string;
  version: number;
  id: string;
  messages: { id: string; author: { name: string } | null; contents: { type: string; text?: string }[] }[];
}

describeWeb('a thread as a file', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
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
