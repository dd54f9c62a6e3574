/** The model is chosen at the composer where the service has several, and the answer comes from it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, webWorld } from '../browser.js';
import { answered, composer, goTo, startThread, write } from '../pages/pages.js';

const modelField = (page: Page) => page.getByRole('combobox', { name: 'Model' });

describe.skipIf(!hasBrowser)(`the choice of a model${browserNote}`, () => {
  const world = webWorld({
    environment: { AI_MODELS: 'compatible:scripted=Everyday, compatible:small=Small and quick' },
  });
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
  });

  const lastModel = () => world.service.model.requests.at(-1)?.body.model;

  it('is forgotten where the service has the model no more', async () => {
    const threadId = await startThread(page, 'Hi');
    await answered(page);
    await page.evaluate(`sessionStorage.setItem('skein.models', JSON.stringify([['${threadId}', 'compatible:gone']]))`);
    await page.reload();
    await expect.poll(() => modelField(page).inputValue()).toBe('compatible:scripted');
    await write(page, 'Again');
    await answered(page);
    expect(lastModel()).toBe('scripted');
  });

  it('starts with the default one, a choice holds for the thread, also on another device and after a reload, and is for the first message too, but not for the next thread, and for an answer that is generated again', async () => {
    const { requests } = world.service.model;
    const before = requests.length;
    const threadId = await startThread(page, 'Hi');
    await answered(page);
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
    await startThread(page, 'Hi');
    await answered(page);
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
