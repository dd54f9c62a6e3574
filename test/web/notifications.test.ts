/**
 * The system says when an answer has ended, to those who asked for it and look elsewhere. In the whole Chromium: its headless
 * shell shows no notifications.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, text, wait } from '../support/model/model-script.js';
import { newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, webWorld } from './browser.js';
import { chromiumPath, launchForTests } from './chromium.js';
import { seen, write } from './pages/pages.js';

const showsNotifications = hasBrowser && !/headless-shell$/.test(chromiumPath ?? '');

/** Keeps the notifications that the browser has shown. */
const keepShown = `window.shown = [];
  window.Notification = class extends Notification {
    constructor(...given) {
      super(...given);
      this.addEventListener('show', () => shown.push(this));
    }
  };`;

describe.skipIf(!showsNotifications)(`notifications of the system${browserNote}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchForTests(chromiumPath);
  });
  afterAll(() => browser.close());
  const world = webWorld();

  async function open(permissions: string[] = ['notifications']): Promise<Page> {
    const page = await world.signedIn(await newcomer(world.service), { browser });
    await page.context().grantPermissions(permissions);
    await page.addInitScript(keepShown);
    await page.goto('/settings/account');
    return page;
  }

  const shown = (page: Page) => page.evaluate("shown.map(({ title, body }) => title + ': ' + body)");
  const checkbox = (page: Page) => page.getByRole('checkbox', { name: /^Notify me/ });
  const turn = async (page: Page, on: boolean) => {
    await checkbox(page).click();
    await expect.poll(() => checkbox(page).isChecked()).toBe(on);
  };
  const hide = (page: Page, hidden: boolean) =>
    page.evaluate(`Object.defineProperties(document, {
      hidden: { value: ${hidden}, configurable: true },
      visibilityState: { value: '${hidden ? 'hidden' : 'visible'}', configurable: true },
    });
    document.dispatchEvent(new Event('visibilitychange'));`);

  /** Asks in a new thread; the answer ends when the returned function is called. */
  async function ask(page: Page, question: string, answer: string): Promise<() => void> {
    const { passed, open: end } = gate();
    world.service.model.enqueue([text(answer), wait(passed)]);
    await page.getByRole('link', { name: 'New thread' }).click();
    await write(page, question);
    await page.keyboard.press('Enter');
    await seen(page, answer);
    return end;
  }

  it('come when an answer ends in a hidden page, and only then, lead to the thread, and come no more when they are turned off', async () => {
    const page = await open();
    await turn(page, true);
    const first = 'Skein: You will be told here when an answer has ended.';
    await expect.poll(() => shown(page)).toEqual([first]);

    const endSeen = await ask(page, 'A short question', 'Seen at once.');
    endSeen();
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
    const endHidden = await ask(page, 'A long question', 'Seen later.');
    const path = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'New thread' }).click();
    await hide(page, true);
    endHidden();
    await expect.poll(() => shown(page)).toEqual([first, 'A long question: The answer has ended.']);
    await page.evaluate("shown.at(-1).dispatchEvent(new Event('click'))");
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);

    await hide(page, false);
    await page.getByRole('link', { name: 'Settings' }).click();
    await turn(page, false);
    const endUnwanted = await ask(page, 'A question', 'First answer.');
    await page.getByRole('link', { name: 'Settings' }).click();
    await hide(page, true);
    endUnwanted();
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    await hide(page, false);
    await turn(page, true);
    const endWanted = await ask(page, 'Another question', 'Second answer.');
    await page.getByRole('link', { name: 'New thread' }).click();
    await hide(page, true);
    endWanted();
    await expect.poll(() => shown(page)).toContain('Another question: The answer has ended.');
    expect(await shown(page)).not.toContain('A question: The answer has ended.');
  });

  it('stay off where the browser refuses them, and the page says what to do', async () => {
    const page = await open([]);
    await page.evaluate("Notification.requestPermission = async () => 'denied'");
    await checkbox(page).click();
    await page.getByText(/^Your browser blocks notifications of this site/).waitFor();
    await expect.poll(() => checkbox(page).isChecked()).toBe(false);
  });
});
