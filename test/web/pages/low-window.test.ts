/** A phone that is held sideways, and a window that is zoomed to 400 %: most of the height is for threads and for messages. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { addThreads, newcomer } from '../../support/threads.js';
import { describeWebWith, type View } from '../browser.js';
import { answered, chooseAction, composer, goTo, rowsInView, seen, threadList, write } from './pages.js';

interface Rows {
  atOnce: number;
  scrolled: number;
}

describeWebWith('in a low window', { environment: { AI_MODELS: 'compatible:small=Small and quick' } }, (world) => {
  it.each<[string, View, Rows]>([
    ['a small phone on its side', { width: 667, height: 320, isTouch: true }, { atOnce: 4, scrolled: 7 }],
    ['a window at 400 %', { width: 320, height: 256 }, { atOnce: 3, scrolled: 6 }],
  ])(
    '%s, most of the height is for threads and messages, and everything is within reach',
    async (_name, view, rows) => {
      const person = await newcomer(world.service);
      const names = Array.from({ length: 30 }, (_, n) => ({ name: `What was said about number ${n} of the list` }));
      await addThreads(world.service, person, names);
      const { threadId } = await person.rest.readyThread({ text: 'Hello' });
      await giveLongName(person);
      const page = await world.signedIn(person, view);
      await hasRows(page, rows);
      await archives(page);
      await goTo(page, `/threads/${threadId}`);
      await hasMessages(page);
      await keepsHalf(page);
      await goTo(page, '/new');
      await isReached(page.getByRole('radio', { name: 'Only me' }));
      await page.getByRole('radio', { name: 'Only me' }).press('?');
      await page.locator('.dialog:focus').waitFor();
      expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTop), 'of the keys').toBe(0);
    },
  );

  it('a window at 200 %, the buttons of the instructions are in sight below them', async () => {
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    const page = await world.signedIn(person, { width: 640, height: 400 });
    await goTo(page, `/threads/${threadId}`);
    await chooseAction(page, 'Instructions');
    for (const name of ['Cancel', 'Save instructions']) {
      await expect.poll(() => page.getByRole('button', { name }).evaluate(isWhole), { message: name }).toBe(true);
    }
  });

  /** What is done with the selected threads is in sight, and hides none that has the focus. */
  async function archives(page: Page): Promise<void> {
    const row = threadList(page).filter({ hasText: 'number 3 ' });
    await row.getByRole('button', { name: /^Actions for/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Select' }).press('Enter');
    const archive = page.getByRole('button', { name: 'Archive', exact: true });
    await expect.poll(() => archive.evaluate(isWhole)).toBe(true);
    const last = threadList(page).nth(20).getByRole('link');
    await last.focus();
    expect(await last.evaluate(isWhole)).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  }

  async function giveLongName({ id }: Person): Promise<void> {
    const users = { some: { id } };
    const name = 'The Society for the Preservation of Long Names';
    await world.service.database.organization.updateMany({ where: { users }, data: { name } });
  }

  /** While an answer runs, and much is written. */
  async function keepsHalf(page: Page): Promise<void> {
    const end = gate();
    world.service.model.enqueue([text('Half'), wait(end.passed)]);
    await write(page, 'More');
    await seen(page, 'Half');
    await composer(page).fill('A line\n'.repeat(9));
    await expect.poll(() => shareOfMessages(page)).toBeGreaterThanOrEqual(0.5);
    await reaches(page, ['Stop answering (Escape)', 'Send']);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await reaches(page, ['Interrupt and send', 'Wait, then send']);
    await expect.poll(() => shareOfMessages(page)).toBeGreaterThanOrEqual(0.5);
    end.open();
  }
});

async function hasRows(page: Page, { atOnce, scrolled }: Rows): Promise<void> {
  await page.goto('/');
  await threadList(page).nth(29).waitFor();
  for (const [role, name] of [
    ['link', 'New thread'],
    ['searchbox', 'Search threads'],
    ['button', 'Archived'],
    ['link', 'Settings'],
  ] as const) {
    await expect.poll(() => page.getByRole(role, { name }).evaluate(isWhole), { message: name }).toBe(true);
  }
  await expect.poll(() => rowsInView(page)).toBeGreaterThanOrEqual(atOnce);
  await threadList(page).nth(15).scrollIntoViewIfNeeded();
  await expect.poll(() => rowsInView(page)).toBeGreaterThanOrEqual(scrolled);
  await staysUpright(page);
}

async function staysUpright(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

/** A short question and its answer, and what one needs beside them. */
async function hasMessages(page: Page): Promise<void> {
  await answered(page);
  await page.getByLabel('Model').waitFor();
  await expect.poll(() => messagesInView(page)).toBeGreaterThanOrEqual(2);
  await reaches(page, ['Actions for this thread', 'Attach images or documents', 'Send']);
  await isReached(page.getByLabel('Model'));
  await staysUpright(page);
}

async function reaches(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await isReached(page.getByRole('main').getByRole('button', { name, exact: true }));
}

/** Scrolls to the element as one would, until nothing covers or cuts it: a page that is still being laid out moves it again. */
async function isReached(element: Locator): Promise<void> {
  const wholeInView = async () => {
    await element.scrollIntoViewIfNeeded();
    return element.evaluate(isWhole);
  };
  await expect.poll(wholeInView, { message: `${element}` }).toBe(true);
}

/** How many messages are in view as a whole. */
async function messagesInView(page: Page): Promise<number> {
  const place = await page.locator('.messages-scroll').boundingBox();
  if (!place) throw new Error('The conversation is not shown.');
  const rows = page.locator('.messages-scroll article');
  const boxes = await rows.evaluateAll((found) => found.map((row) => row.getBoundingClientRect().toJSON()));
  return boxes.filter(({ top, bottom }) => top >= place.y && bottom <= place.y + place.height).length;
}

/** The share of the height of the window that the messages have. */
async function shareOfMessages(page: Page): Promise<number> {
  const place = await page.locator('.messages-scroll').boundingBox();
  return (place?.height ?? 0) / (page.viewportSize()?.height ?? Number.POSITIVE_INFINITY);
}

/** Whether nothing covers or cuts the element. */
function isWhole(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const inWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return inWindow && element.contains(above);
}
