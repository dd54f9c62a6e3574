/** One conversation in several places, with files and with a summary in it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createId } from '../../../src/ids.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import {
  answered,
  answeredThread,
  answers,
  attach,
  composer,
  goTo,
  renameElsewhere,
  seen,
  startThread,
  write,
} from '../pages/pages.js';
import { HeldAnswers } from './held-answers.js';

describeWeb('a conversation in several places', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service, { name: 'Ada Lovelace' });
    page = await world.signedIn(person);
  });

  it('looks the same in two tabs and to two people, during an answer and after it, and names who sent a message to everyone but them; keeps a comment that one writes on an answer while the other has it written anew; shows a draft and its files in all tabs until one of them sends it', async () => {
    const middle = gate();
    world.service.model.enqueue([text('Half of the ans'), wait(middle.passed), text('wer')]);
    const threadId = await startThread(page, 'The first question');
    const theirs = await world.signedIn(await colleagueOf(world.service, person, { name: 'Bob' }));
    const empty = await page.context().newPage();
    const views = [page, empty, theirs];
    for (const view of views.slice(1)) await view.goto(`/threads/${threadId}`);
    for (const view of views) await seen(view, 'Half of the ans');
    middle.open();
    for (const view of views) {
      await answered(view);
      await expect.poll(() => answers(view).locator('.rich').innerText()).toBe('Half of the answer');
    }
    await write(theirs, 'The second question');
    const seenBy = [
      { view: page, other: 'Bob', mark: 'B', said: 'The second question' },
      { view: theirs, other: 'Ada Lovelace', mark: 'AL', said: 'The first question' },
    ];
    for (const { view, other, mark, said } of seenBy) {
      const named = view.getByRole('article', { name: `Message from ${other}`, exact: true });
      await named.getByText(said).waitFor();
      await answered(view);
      expect(await named.locator('.author').innerText()).toBe(`${mark}\n${other}`);
      expect(await view.getByRole('article', { name: 'Message', exact: true }).count()).toBe(1);
      expect(await view.locator('.author').count()).toBe(1);
    }
    await keepsComment(theirs);
    await answered(page);
    await sharesDraft(empty);
  });

  async function keepsComment(theirs: Page): Promise<void> {
    await theirs.getByRole('button', { name: 'Bad answer' }).last().press('Enter');
    await focused(theirs, 'Comment');
    await theirs.keyboard.type('It rambles');
    world.service.model.enqueue([text('In other words')]);
    await page.getByRole('button', { name: 'Regenerate' }).last().press('Enter');
    await theirs.getByText('In other words').waitFor();
    await focused(theirs, 'Comment');
    await theirs.keyboard.type(' on');
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('It rambles on');
    await theirs.keyboard.press('Escape');
    await theirs.getByRole('dialog').waitFor({ state: 'detached' });
    // The button that opened it is gone.
    await expect.poll(() => theirs.evaluate('document.activeElement.id')).toBe('stage');
  }

  async function sharesDraft(empty: Page): Promise<void> {
    await composer(page).fill('Begun');
    await attach(page, ['notes.md']);
    const same = await page.context().newPage();
    await same.goto(page.url());
    await composer(page).fill('Begun and ended');
    await expect.poll(() => composer(same).inputValue()).toBe('Begun and ended');
    await same.getByRole('button', { name: 'Remove notes.md' }).waitFor();
    await expect.poll(() => composer(empty).inputValue()).toBe('Begun and ended');
    await empty.getByRole('button', { name: 'Remove notes.md' }).waitFor();
    await composer(page).press('Enter');
    for (const other of [same, empty]) {
      await expect.poll(() => composer(other).inputValue()).toBe('');
      await other.getByRole('button', { name: 'Remove notes.md' }).waitFor({ state: 'detached' });
      await other.close();
    }
  }

  it('sends an image and a document, and shows them; explains why a file cannot be sent, and sends the message without it', async () => {
    await goTo(page, '/new');
    await attach(page, ['dot.png', 'notes.md']);
    await write(page, 'Look at these');
    await page.waitForURL(/\/threads\/thr_/);
    await answered(page);
    const image = page.getByRole('img', { name: 'dot.png' });
    await image.waitFor();
    const width = "(document.querySelector('.picture img') ?? {}).naturalWidth";
    await page.waitForFunction(`${width} > 0`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /notes\.md/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('notes.md');

    const words = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('words') };
    await page.getByLabel('Files to attach').setInputFiles([words]);
    await page.getByRole('listitem').getByText('does not match its type').waitFor();
    await page.getByRole('button', { name: 'Remove picture.png' }).click();
    await focused(page, 'Message');
    await write(page, 'Without a file');
    await answered(page);
  });

  it('shows where a summary is made while the user reads, and keeps what it replaced in view, then shows it as a boundary, and what it replaced when asked, or at its address', async () => {
    const threadId = await answeredThread(page, 'The old beginning');
    const replaced = await page.getByRole('article', { name: 'Message', exact: true }).getAttribute('id');
    await summarize(threadId, 'They began.');
    await write(page, 'And then?');
    await seen(page, 'They began.');
    await page.getByRole('button', { name: 'Hide earlier messages' }).waitFor();
    const order = /The old beginning.*Hide earlier.*They began\..*And then\?/s;
    await expect.poll(() => page.getByRole('region', { name: 'Conversation' }).innerText()).toMatch(order);
    await answered(page);

    const old = page.getByRole('article').getByText('The old beginning');
    await page.reload();
    await seen(page, 'They began.');
    expect(await old.count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await old.waitFor();
    await page.getByRole('button', { name: 'Hide earlier messages' }).click();
    await old.waitFor({ state: 'detached' });

    await page.goto(`/threads/${threadId}/messages/${replaced}`);
    await page.locator('[data-marked=true]').getByText('The old beginning').waitFor();
    await seen(page, 'They began.');
  });

  it('keeps a sent message in view when an outdated response arrives late', async () => {
    const { threadId, messageId } = await person.rest.readyThread({ text: 'Hello' });
    await goTo(page, `/threads/${threadId}`);
    await page.locator(`article[id=${messageId}]`).waitFor();
    await answered(page);
    const held = await HeldAnswers.of(page, { operation: 'Conversation' });
    await renameElsewhere(person, threadId, 'News');
    await held.waitFor(1);
    world.service.model.enqueue([wait(gate().passed)]);
    await write(page, 'And then?');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    held.release(0);
    await held.waitFor(2);
    expect(await page.getByRole('article').getByText('And then?').count()).toBe(1);
    held.end();
    await page.getByRole('article', { name: 'Message', exact: true }).getByText('And then?').waitFor();
    expect(await page.getByRole('article').getByText('And then?').count()).toBe(1);
  });

  /** As when the conversation has outgrown the model. */
  const summarize = async (threadId: string, words: string) => {
    const { database } = world.service;
    const { sequence, createdAt } = await database.message.findFirstOrThrow({
      where: { threadId },
      orderBy: { sequence: 'desc' },
    });
    await database.message.updateMany({ where: { threadId }, data: { active: false } });
    const contents = [{ type: 'text', text: words }];
    await database.message.create({
      data: { id: createId('msg'), threadId, sequence: sequence + 1, role: 'summary', contents, createdAt },
    });
  };
});
