/** What people do on the pages, in their words. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { pixel } from '../../graphql/attachments/attached-file.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { password, type WebWorld } from '../browser.js';
import { drawn } from '../conversation/held-answers.js';

/** Opens a path as by a link, without a load, where somebody is signed in already. */
export async function goTo(page: Page, path: string): Promise<void> {
  if ((await page.locator('.panel').count()) === 0) {
    await page.goto(path);
    return;
  }
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await drawn(page);
}

/** Closes what is open over the page. */
export async function dismiss(page: Page): Promise<void> {
  const open = page.getByRole('dialog').or(page.getByRole('menu'));
  await expect
    .poll(async () => {
      if ((await open.count()) > 0) await page.keyboard.press('Escape');
      return open.count();
    })
    .toBe(0);
}

/** Starts a thread, and waits until its page is open. Gives the id of the thread. */
export async function startThread(page: Page, words: string): Promise<string> {
  await goTo(page, '/new');
  await write(page, words);
  await page.waitForURL(/\/threads\/thr_/);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

/** Starts a thread, and waits for the whole answer. Gives the id of the thread. */
export async function answeredThread(page: Page, words: string): Promise<string> {
  const threadId = await startThread(page, words);
  await answered(page);
  return threadId;
}

/** Opens a new thread of the person with a complete answer, of which no fetch is under way. Gives its id. */
export async function openThread(page: Page, { rest }: Person, words = 'Hello'): Promise<string> {
  const { threadId, messageId } = await rest.readyThread({ text: words });
  await goTo(page, `/threads/${threadId}`);
  await page.locator(`article[id=${messageId}]`).waitFor();
  await answered(page);
  return threadId;
}

/** Starts a thread whose answer says "Half", and does not end before the gate is opened that this gives. */
export async function growingAnswer({ service }: WebWorld, page: Page): Promise<ReturnType<typeof gate>> {
  const end = gate();
  service.model.enqueue([text('Half'), wait(end.passed)]);
  await startThread(page, 'Hello');
  await seen(page, 'Half');
  return end;
}

/** Writes a message and sends it: by the key, or by the button on a touch screen, where the key begins a new line. */
export async function write(page: Page, words: string): Promise<void> {
  await composer(page).fill(words);
  if (await page.evaluate("matchMedia('(pointer: coarse)').matches")) {
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
  } else {
    await composer(page).press('Enter');
  }
}

/** Attaches notes, or pictures where the name says so, and waits until they are uploaded. */
export async function attach(page: Page, names: readonly string[]): Promise<void> {
  const notes = { mimeType: 'text/markdown', buffer: Buffer.from('# Notes') };
  const picture = { mimeType: 'image/png', buffer: Buffer.from(pixel.content) };
  const files = names.map((name) => ({ name, ...(name.endsWith('.png') ? picture : notes) }));
  await page.getByLabel('Files to attach').setInputFiles(files);
  await page.getByRole('button', { name: `Remove ${names.at(-1)}` }).waitFor();
  await page.getByText('Uploading…').first().waitFor({ state: 'detached' });
}

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

export function answers(page: Page): Locator {
  return page.getByRole('article', { name: /^Assistant/ });
}

/** Leaves a thread for the page of a new one, by the link. */
export async function leaveThread(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New thread' }).click();
  await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
}

/** Chooses from the menu of the thread that is open. */
export async function chooseAction(page: Page, item: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Actions for this thread' }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** Signs in on the page that asks for it. */
export async function submitSignIn(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the words stand in the conversation. */
export function seen(page: Page, words: string | RegExp): Promise<void> {
  return page.getByRole('region', { name: 'Conversation' }).getByText(words).first().waitFor();
}

/** Waits until the newest message has its whole answer: it can be rated, and the next message would not interrupt it. */
export async function answered(page: Page): Promise<void> {
  const newest = page.getByRole('region', { name: 'Conversation' }).getByRole('article').last();
  await newest.getByRole('button', { name: 'Good answer' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
}

/** Asks for something in a page whose session has ended, unless it has asked by itself; waits until the sign-in is there. */
export async function signedOut(page: Page): Promise<void> {
  const signIn = page.getByRole('heading', { name: 'Sign in to Skein' });
  await page.getByRole('link', { name: 'Settings' }).or(signIn).first().click();
  await signIn.waitFor();
}

/** The entries of the list of threads. */
export function threadList(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Threads' }).getByRole('listitem');
}

export function threadNames(page: Page): Promise<string[]> {
  return threadList(page).locator('.thread-name').allInnerTexts();
}

/** How many entries of the list of threads are in view as a whole. */
export async function rowsInView(page: Page): Promise<number> {
  const whole = await threadList(page).evaluateAll((found) => found.map((row) => row.getBoundingClientRect().toJSON()));
  const list = await page.locator('.panel').boundingBox();
  const scroller = await page.locator('.thread-scroll').boundingBox();
  if (!list || !scroller) throw new Error('The list is not shown.');
  const top = Math.max(list.y, scroller.y);
  const bottom = Math.min(list.y + list.height, scroller.y + scroller.height);
  return whole.filter((row) => row.top >= top && row.bottom <= bottom).length;
}

/** As the person does it elsewhere. */
export function renameElsewhere({ graphql }: Person, id: string, name: string): Promise<unknown> {
  const mutation = 'mutation ($id: ID!, $name: String) { renameThread(input: {id: $id, name: $name}) { __typename } }';
  return graphql.data(mutation, { id, name });
}

/** As the owner does it elsewhere. */
export function hideElsewhere({ graphql }: Person, id: string): Promise<unknown> {
  const mutation = 'mutation ($id: ID!) { setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename } }';
  return graphql.data(mutation, { id });
}
