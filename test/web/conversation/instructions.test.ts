/** The owner of a thread tells the assistant what to heed in it, and whoever can read the thread can read that. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { textLimits } from '../../../src/contract.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, seen, startThread, write } from '../pages/pages.js';

const open = async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: 'Actions for this thread' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Instructions' }).press('Enter');
  await page.getByRole('dialog', { name: 'Instructions for the assistant' }).waitFor();
};

describeWeb('the instructions of a thread', (world) => {
  let ada: Person;
  let page: Page;
  beforeAll(async () => {
    ada = await newcomer(world.service);
    page = await world.signedIn(ada);
  });

  it('are closed when one goes back to another page', async () => {
    await startThread(page, 'Hi');
    await answered(page);
    await open(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('are written and removed with the keyboard alone, and the model is told them; keep what was written if the dialog is closed with Escape, until Cancel discards it', async () => {
    await startThread(page, 'Hi');
    await answered(page);
    await open(page);
    const field = page.getByRole('textbox', { name: 'Instructions' });
    await focused(page, 'Instructions');
    await page.keyboard.insertText('!'.repeat(textLimits.instructions.max + 1));
    await page.getByText('This text can have at most 4,000 characters.').waitFor();
    await page.getByRole('button', { name: 'Save instructions' }).press('Enter');
    await field.fill('Answer in verse.');
    await page.getByRole('button', { name: 'Save instructions' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(page, 'Actions for this thread');
    await write(page, 'Again');
    await answered(page);
    expect(JSON.stringify(world.service.model.requests.at(-1)?.body.messages[0])).toContain('Answer in verse.');
    await open(page);
    await expect.poll(() => field.inputValue()).toBe('Answer in verse.');
    await field.fill('');
    await page.getByRole('button', { name: 'Save instructions' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open(page);
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('Half an instruct');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await open(page);
    await expect.poll(() => field.inputValue()).toBe('Half an instruct');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open(page);
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
  });

  it('are read, and not changed, by a colleague', async () => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const data = { instructions: 'Be brief.' };
    await world.service.database.thread.update({ where: { id: threadId }, data });
    const page = await world.open(await colleagueOf(world.service, ada), `/threads/${threadId}`);
    await seen(page, 'Hi');
    await open(page);
    await page.getByRole('dialog').getByText('Be brief.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Instructions' }).count()).toBe(0);
  });
});
