/** The application by the keyboard alone: everything on the main way is reached, and the focus is always somewhere in sight. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, toolCall, wait } from '../../support/model/model-script.js';
import { newcomer, personWithThreads } from '../../support/threads.js';
import { describeWeb, password } from '../browser.js';
import { focused, tabTo } from '../focus.js';
import { answeredThread, composer, goTo, seen, startThread, threadList, write } from './pages.js';

describeWeb('by the keyboard alone', (world) => {
  /** Of those who are signed in already. */
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await personWithThreads(world.service, ['First', 'Second']));
  });

  it('signs in, asks, stops, searches, opens, and changes the theme', async () => {
    const person = await newcomer(world.service);
    await world.givePassword(person);
    const page = await world.visitor();
    const { keyboard } = page;
    await page.goto('/');
    await focused(page, 'E-mail address');
    await keyboard.type(person.email);
    await keyboard.press('Tab');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await focused(page, 'Message');
    await keyboard.press('Tab');
    await keyboard.press('Alt+n');
    await page.waitForURL(/\/new$/);
    await focused(page, 'Message');
    world.service.model.enqueue([text('A long answer'), wait(gate().passed)]);
    await keyboard.type('By keyboard');
    await keyboard.press('Enter');
    await seen(page, 'A long answer');
    await focused(page, 'Message');
    await keyboard.press('Escape');
    await seen(page, 'The answer was stopped.');
    await focused(page, 'Message');
    await keyboard.press('Tab');
    await keyboard.press('/');
    await focused(page, 'Search threads');
    await keyboard.press('Control+Shift+O');
    await page.waitForURL(/\/new$/);
    await focused(page, 'Message');
    await keyboard.press('Tab');
    await keyboard.press('/');
    await keyboard.type('keyb');
    await page.locator('mark').first().waitFor();
    await tabTo(page, 'By keyboard');
    await keyboard.press('Enter');
    // The thread or, where what was stored of the stopped answer is still unread, the excerpt with the same words.
    await page.waitForURL(/\/threads\/thr_\w+(\/messages\/msg_\w+)?$/);
    await seen(page, 'A long answer');
    await focused(page, 'By keyboard');
    await tabTo(page, 'Settings');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await focused(page, 'Settings');
    await keyboard.press('Shift+Tab');
    await focused(page, 'Theme: system. Switch to light');
    await keyboard.press('Enter');
    await focused(page, 'Theme: light. Switch to dark');
    await expect.poll(() => page.evaluate('document.documentElement.style.colorScheme')).toBe('light');
  }, 120_000);

  it('keeps the focus on a renamed thread, and moves it on when a thread leaves the list', async () => {
    const { keyboard } = page;
    await page.goto('/');
    await threadList(page).nth(1).waitFor();
    await focused(page, 'Message');
    await keyboard.press('Tab');
    await keyboard.press('/');
    await tabTo(page, 'First');
    await keyboard.press('F2');
    await focused(page, 'Thread name');
    await keyboard.type('Renamed');
    await keyboard.press('Enter');
    await focused(page, 'Renamed');
    await keyboard.press('Tab');
    await focused(page, 'Actions for Renamed');
    await keyboard.press('Enter');
    await focused(page, 'Rename');
    await keyboard.press('ArrowUp');
    await focused(page, 'Delete');
    await keyboard.press('ArrowUp');
    await focused(page, 'Archive');
    await keyboard.press('Enter');
    await focused(page, 'Second');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actions for this thread' }).waitFor();
    await tabTo(page, 'Actions for this thread');
    await keyboard.press('Enter');
    await focused(page, 'Rename');
    await keyboard.press('Enter');
    await focused(page, 'Thread name');
    await keyboard.type('Third');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Third' }).waitFor();
    await focused(page, 'Actions for this thread');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });

  it('moves the focus to the messages when the focused button disappears', async () => {
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const question = { question: 'Which one?', choices: ['This', 'That'] };
    world.service.model.enqueue(
      [...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })],
      [text('So be it'), wait(gate().passed)],
    );
    await startThread(page, 'Ask me');
    await seen(page, 'Which one?');
    await press('That');
    await seen(page, 'So be it');
    await focused(page, 'Conversation');
    await write(page, 'Another thing');
    await press('Wait, then send');
    await focused(page, 'Message');
    await press('Edit');
    await focused(page, 'Message');
    await expect.poll(() => composer(page).inputValue()).toBe('Another thing');
    await composer(page).clear();
    await press(/^Stop/);
    await seen(page, 'The answer was stopped.');
    await focused(page, 'Conversation');
  });

  it('returns the focus from a menu and a dialog to the button that opened them', async () => {
    const { keyboard } = page;
    const menu = page.getByRole('menu');
    const dialog = page.getByRole('dialog');
    await answeredThread(page, 'Menus and dialogs');
    const button = page.getByRole('button', { name: 'Actions for this thread' });
    await button.click();
    await menu.waitFor();
    await page.mouse.click(640, 400);
    await menu.waitFor({ state: 'detached' });
    await button.press('Enter');
    await focused(page, 'Rename');
    await keyboard.press('Escape');
    await focused(page, 'Actions for this thread');
    await keyboard.press('Enter');
    await focused(page, 'Rename');
    await keyboard.press('Tab');
    await menu.waitFor({ state: 'detached' });
    await focused(page, 'Conversation');
    await page.getByRole('button', { name: 'Bad answer' }).focus();
    await keyboard.press('Enter');
    await focused(page, 'Comment');
    for (const name of ['Skip', 'Save comment', 'Comment']) {
      await keyboard.press('Tab');
      await focused(page, name);
    }
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, 'Bad answer');
  });

  it('moves the focus to the new page when the page with the focus is gone', async () => {
    await goTo(page, '/threads/thr_none');
    await page.getByRole('link', { name: 'Go to your threads' }).waitFor();
    await tabTo(page, 'Go to your threads');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Enter');
    await focused(page, 'Threads');
  });
});
