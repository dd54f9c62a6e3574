/** Several threads are archived at once from the list, and come back with one press, as does a single one. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addThread, colleagueOf, personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { focused } from './focus.js';
import { threadList } from './pages/pages.js';

describeWeb('archiving several threads', (world) => {
  const list = (page: Page) => page.getByRole('navigation', { name: 'Threads' });
  const names = (page: Page) => list(page).locator('.thread-name').allInnerTexts();
  const button = (page: Page, name: string) => list(page).getByRole('button', { name, exact: true });
  const status = (page: Page, words: string) => list(page).getByRole('status').getByText(words, { exact: true });

  async function open(page: Page): Promise<void> {
    await page.goto('/');
    await threadList(page).first().waitFor();
  }

  async function choose(page: Page, name: string, item: string): Promise<void> {
    await button(page, `Actions for ${name}`).press('Enter');
    await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
  }

  it('selects by menu, click, Shift and checkbox, archives them, and takes it back; counts no thread that is deleted meanwhile', async () => {
    const owner = await personWithThreads(world.service, ['One', 'Two', 'Three', 'Four', 'Five']);
    const page = await world.signedIn(owner);
    await open(page);
    await choose(page, 'One', 'Select');
    await status(page, '1 selected').waitFor();
    await list(page)
      .getByRole('link', { name: 'Three' })
      .click({ modifiers: ['Shift'] });
    await status(page, '3 selected').waitFor();
    await list(page).getByRole('link', { name: 'Five' }).click();
    await list(page).getByRole('checkbox', { name: 'Select Two' }).press('Space');
    await status(page, '3 selected').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await button(page, 'Archive').press('Enter');
    await status(page, '3 threads archived').waitFor();
    await expect.poll(() => names(page)).toEqual(['Two', 'Four']);
    const { database } = world.service;
    const archived = () => database.thread.count({ where: { ownerId: owner.id, archived: true } });
    expect(await archived()).toBe(3);
    await focused(page, 'Undo');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page)).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
    await expect.poll(() => page.evaluate("document.activeElement?.className ?? ''")).toBe('thread-link');
    await expect.poll(archived).toBe(0);

    for (const name of ['One', 'Two']) await choose(page, name, 'Select');
    await status(page, '2 selected').waitFor();
    const { id } = await database.thread.findFirstOrThrow({ where: { ownerId: owner.id, name: 'One' } });
    await owner.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id });
    await status(page, '1 selected').waitFor();
    expect(await names(page)).toEqual(['Two', 'Three', 'Four', 'Five']);
  });

  it('takes back the archiving of a single thread until it is no news, leaves those that were archived before, and unarchives those in their view; selects nothing any more after Escape, and keeps the selection where the service cannot be reached', async () => {
    const owner = await personWithThreads(world.service, ['One', 'Two']);
    await addThread(world.service, owner, { name: 'Before', archived: true });
    await addThread(world.service, await colleagueOf(world.service, owner), { name: 'Theirs' });
    const page = await world.signedIn(owner);
    await open(page);
    await button(page, 'Actions for Theirs').press('Enter');
    await page.getByRole('menuitem', { name: 'Pin' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Select' }).count(), 'nothing of a colleague').toBe(0);
    await page.keyboard.press('Escape');
    await keepsSelection(page);
    await page.getByRole('button', { name: 'Mine', exact: true }).click();
    await choose(page, 'Two', 'Archive');
    await status(page, '1 thread archived').waitFor();
    await expect.poll(() => names(page)).toEqual(['One']);
    await button(page, 'Undo').press('Enter');
    await expect.poll(() => names(page)).toEqual(['One', 'Two']);
    await forgets(page);
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['Before']);
    await choose(page, 'Before', 'Select');
    await button(page, 'Unarchive').press('Enter');
    await status(page, '1 thread unarchived').waitFor();
    await expect.poll(() => names(page)).toEqual([]);
    await page.getByRole('button', { name: 'Mine', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['Before', 'One', 'Two']);
  });

  /** After a while, but not under the pointer, and at once where the list shows something else. */
  async function forgets(page: Page): Promise<void> {
    await page.clock.install();
    const undo = button(page, 'Undo');
    await choose(page, 'Two', 'Archive');
    await undo.hover();
    await page.clock.fastForward(60_000);
    await undo.waitFor();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(60_000);
    await undo.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await choose(page, 'Two', 'Unarchive');
    await undo.waitFor();
    await page.getByRole('button', { name: 'Mine', exact: true }).click();
    await undo.waitFor({ state: 'detached' });
    await expect.poll(() => names(page)).toEqual(['One', 'Two']);
  }

  async function keepsSelection(page: Page): Promise<void> {
    await choose(page, 'One', 'Select');
    await expect.poll(() => list(page).getByRole('checkbox').count()).toBe(2);
    await list(page).getByRole('checkbox').first().press('Escape');
    await expect.poll(() => list(page).getByRole('checkbox').count()).toBe(0);
    await choose(page, 'One', 'Select');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('archiveThreads') ? route.abort() : route.continue(),
    );
    await button(page, 'Archive').press('Enter');
    await list(page).getByText('The service cannot be reached.').waitFor();
    await status(page, '1 selected').waitFor();
    expect(await names(page)).toEqual(['Theirs', 'One', 'Two']);
    await page.unroute('**/graphql');
    await list(page).getByRole('checkbox').first().press('Escape');
    await expect.poll(() => list(page).getByRole('checkbox').count()).toBe(0);
  }
});
