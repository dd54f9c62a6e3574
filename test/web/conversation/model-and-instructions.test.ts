/**
 * What the assistant is told beside the messages. The owner of a thread tells it what to heed there, and whoever can read the
 * thread can read that. The model is chosen at the composer where the service has several, and the answer comes from it.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { textLimits } from '../../../src/contract.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWebWith } from '../browser.js';
import { focused } from '../focus.js';
import { answered, answeredThread, chooseAction, composer, goTo, seen, write } from '../pages/pages.js';

const modelField = (page: Page) => page.getByRole('combobox', { name: 'Model' });

const openInstructions = async (page: Page) => {
  await chooseAction(page, 'Instructions');
  await page.getByRole('dialog', { name: 'Instructions for the assistant' }).waitFor();
};

const environment = { AI_MODELS: 'compatible:scripted=Everyday, compatible:small=Small and quick' };

describeWebWith('a conversation', { environment }, (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
  });

  describe('its instructions', () => {
    it('are closed when one goes back to another page', async () => {
      await answeredThread(page, 'Hi');
      await openInstructions(page);
      await page.goBack();
      await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('are written and removed with the keyboard alone, and the model is told them; keep what was written if the dialog is closed with Escape, until Cancel discards it', async () => {
      await answeredThread(page, 'Hi');
      await openInstructions(page);
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
      await openInstructions(page);
      await expect.poll(() => field.inputValue()).toBe('Answer in verse.');
      await field.fill('');
      await page.getByRole('button', { name: 'Save instructions' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await openInstructions(page);
      await expect.poll(() => field.inputValue()).toBe('');
      await field.fill('Half an instruct');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.reload();
      await openInstructions(page);
      await expect.poll(() => field.inputValue()).toBe('Half an instruct');
      await page.getByRole('button', { name: 'Cancel' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await openInstructions(page);
      await field.waitFor();
      await expect.poll(() => field.inputValue()).toBe('');
    });

    it('are read, and not changed, by a colleague', async () => {
      const { threadId } = await person.rest.readyThread({ text: 'Hi' });
      const data = { instructions: 'Be brief.' };
      await world.service.database.thread.update({ where: { id: threadId }, data });
      const page = await world.open(await colleagueOf(world.service, person), `/threads/${threadId}`);
      await seen(page, 'Hi');
      await openInstructions(page);
      await page.getByRole('dialog').getByText('Be brief.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Instructions' }).count()).toBe(0);
    });
  });

  describe('the choice of its model', () => {
    const lastModel = () => world.service.model.requests.at(-1)?.body.model;

    it('is forgotten where the service has the model no more', async () => {
      const threadId = await answeredThread(page, 'Hi');
      await page.evaluate(
        `sessionStorage.setItem('skein.models', JSON.stringify([['${threadId}', 'compatible:gone']]))`,
      );
      await page.reload();
      await expect.poll(() => modelField(page).inputValue()).toBe('compatible:scripted');
      await write(page, 'Again');
      await answered(page);
      expect(lastModel()).toBe('scripted');
    });

    it('starts with the default one, a choice holds for the thread, also on another device and after a reload, and is for the first message too, but not for the next thread, and for an answer that is generated again', async () => {
      const { requests } = world.service.model;
      const before = requests.length;
      const threadId = await answeredThread(page, 'Hi');
      expect(lastModel()).toBe('scripted');
      await expect.poll(() => modelField(page).locator('option:checked').innerText()).toBe('Everyday');
      await modelField(page).selectOption('Small and quick');
      await write(page, 'Again');
      await expect.poll(lastModel).toBe('small');
      await answered(page);
      const other = await world.open(person, `/threads/${threadId}`);
      await expect.poll(() => modelField(other).inputValue()).toBe('compatible:small');
      await write(other, 'And again');
      await expect.poll(() => requests.length).toBe(before + 3);
      expect(lastModel()).toBe('small');
      await answered(other);

      await goTo(page, '/new');
      await modelField(page).selectOption('Small and quick');
      await write(page, 'Hi');
      await page.waitForURL(/\/threads\/thr_/);
      await answered(page);
      expect(lastModel()).toBe('small');
      await expect.poll(() => modelField(page).inputValue()).toBe('compatible:small');
      await goTo(page, '/new');
      await expect.poll(() => modelField(page).inputValue()).toBe('compatible:scripted');
      await page.goBack();
      await expect.poll(() => modelField(page).inputValue()).toBe('compatible:small');
      await modelField(page).selectOption('Everyday');
      await page.reload();
      await expect.poll(() => modelField(page).inputValue()).toBe('compatible:scripted');
      await page.getByRole('button', { name: 'Regenerate' }).click();
      await expect.poll(lastModel).toBe('scripted');
      await answered(page);
    });

    it('is reached from the message by Tab, and is large enough for a finger', async () => {
      const page = await world.signedIn(person, { width: 390, height: 844, isTouch: true });
      await answeredThread(page, 'Hi');
      await modelField(page).waitFor();
      expect((await modelField(page).boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await composer(page).focus();
      const name = () => page.evaluate("document.activeElement?.closest('label')?.textContent ?? ''");
      for (let presses = 0; presses < 5 && !String(await name()).startsWith('Model'); presses += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await name()).toMatch(/^Model/);
    });
  });
});
