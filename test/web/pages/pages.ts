/** What people do on the pages, in their words. */
import type { Locator, Page } from 'playwright-core';

/** Starts a thread, and waits until its page is open. Gives the id of the thread. */
export async function startThread(page: Page, text: string): Promise<string> {
  await page.goto('/new');
  await write(page, text);
  await page.waitForURL(/\/threads\/thr_/);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

/** Writes a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

export function answers(page: Page): Locator {
  return page.getByRole('article', { name: /^Assistant/ });
}

/** Waits until the words stand in the conversation. */
export function seen(page: Page, words: string | RegExp): Promise<void> {
  return page.getByRole('region', { name: 'Conversation' }).getByText(words).first().waitFor();
}

/** Waits until the answer is complete: it can be rated. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Good answer' }).last().waitFor();
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
