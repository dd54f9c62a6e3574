/** The list of threads in the browser: it is live, is searched as one types, and shows nobody what is private to others. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { storeMessages } from '../rest/messages/stored-messages.js';
import type { Person } from '../support/service.js';
import { colleagueOf, listIds, newcomer, personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { HeldAnswers, openList } from './conversation/held-answers.js';
import { focused } from './focus.js';
import { translateByBrowser } from './language/translate-by-browser.js';
import {
  answeredThread,
  chooseAction,
  composer,
  renameElsewhere,
  seen,
  startThread,
  threadList,
  threadNames,
} from './pages/pages.js';

/** What the page does by itself takes a busy machine a while. */
const patient = { timeout: 30_000 };

function searchField(page: Page) {
  return page.getByRole('searchbox', { name: 'Search threads' });
}

/** Opens the question whether to delete a thread, by the button of its menu. */
async function askToDelete(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).press('Enter');
  await focused(page, 'Cancel');
}

/** The names in the list, also while a dialog hides it from screen readers. */
function namesBehind(page: Page): Promise<string[]> {
  return page.locator('.thread-row .thread-name').allInnerTexts();
}

/** The texts that are marked in the list. */
function marks(page: Page): Promise<string[]> {
  return threadList(page).locator('mark').allInnerTexts();
}

describeWeb('the list of threads in the browser', (world) => {
  /** Of the tests with two people. */
  let owner: Person;
  let mine: Page;
  beforeAll(async () => {
    owner = await newcomer(world.service);
    mine = await world.signedIn(owner);
  });

  it('deletes the open conversation with its draft, which leads to the start, and tells other tabs and colleagues, who cannot delete it', async () => {
    const threadId = await answeredThread(mine, 'A plan to forget');
    const theirs = await world.signedIn(await colleagueOf(world.service, owner));
    const others = [await mine.context().newPage(), theirs];
    for (const page of others) {
      await page.goto(`/threads/${threadId}`);
      await seen(page, 'A plan to forget');
    }
    await theirs.getByRole('button', { name: 'Actions for this thread' }).click();
    await theirs.getByRole('menuitem', { name: 'Instructions' }).waitFor();
    expect(await theirs.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await theirs.keyboard.press('Escape');
    const drafts = () =>
      mine.evaluate((id) => Object.keys(localStorage).filter((key) => key.includes(id)).length, threadId);
    await mine.getByRole('button', { name: 'Edit message', exact: true }).press('Enter');
    await mine.getByRole('textbox', { name: 'Edit message' }).fill('A better plan');
    await mine.keyboard.press('Escape');
    await composer(mine).fill('Half a thought');
    const file = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') };
    await mine.getByLabel('Files to attach').setInputFiles([file]);
    await expect.poll(drafts).toBe(3);
    for (const page of others) await composer(page).focus();
    await askToDelete(mine, 'Actions for this thread');
    await mine.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await mine.waitForURL(({ pathname }) => pathname === '/');
    await focused(mine, 'Message');
    await expect.poll(drafts).toBe(0);
    await expect.poll(() => threadList(mine).count()).toBe(0);
    for (const page of others) {
      await page.getByText('There is no such thread').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('stage');
      await expect.poll(() => threadList(page).count()).toBe(0);
    }
    await others[0]?.close();
  });

  it('shows what a colleague starts, takes away what they make private until they share it again, but not what one was writing there, and lets an administrator delete what they see', async () => {
    const theirs = await world.open(await colleagueOf(world.service, owner, { role: 'admin' }), '/');
    await theirs.getByText('Start a thread').waitFor();
    const threadId = await startThread(mine, 'A plan for everybody');
    await theirs.getByRole('link', { name: /A plan for everybody/ }).click();
    await seen(theirs, 'Hello from the model.');
    await composer(theirs).fill('Half a thought');
    await chooseAction(mine, 'Make private');
    await theirs.getByText('There is no such thread').waitFor();
    const unsent = theirs.getByRole('textbox', { name: 'What you wrote here and did not send' });
    expect(await unsent.inputValue()).toBe('Half a thought');
    await expect.poll(() => threadList(theirs).count()).toBe(0);
    await theirs.goto(`/threads/${threadId}`);
    await theirs.getByText('There is no such thread').waitFor();
    await chooseAction(mine, 'Share with the team');
    await seen(theirs, 'Hello from the model.');
    expect(await composer(theirs).inputValue()).toBe('Half a thought');
    await chooseAction(mine, 'Make private');
    await theirs.getByText('There is no such thread').waitFor();
    await answeredThread(mine, 'What nobody should read');
    await askToDelete(theirs, 'Actions for What nobody should read');
    await theirs.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await mine.getByText('There is no such thread').waitFor();
    await expect.poll(() => threadList(theirs).count()).toBe(0);
  });

  it('finds a thread by its name and by its messages as one types, and shows the part of a long message around the hit, marked as the service found it, as plain text, also in a page that the browser translates', async () => {
    const person = await personWithThreads(world.service, ['Café <b>crème</b>', 'Trip']);
    const [trip = ''] = await listIds(person.rest, { q: 'trip' });
    const text = `${'Far from it. '.repeat(30)}<img src=x onerror=alert(1)> **Fähre** & 東京 ${'And on. '.repeat(40)}`;
    const [message] = await storeMessages(world.service, trip, [{ contents: [{ type: 'text', text }] }]);
    await person.rest.readyThread({ text: 'Gardening in winter' });
    const page = await world.signedIn(person);
    await openList(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(/(?:query|mutation) \w+/.exec(request.postData() ?? '')?.[0] ?? ''));
    await searchField(page).fill('creme');
    await expect.poll(() => marks(page)).toEqual(['crème']);
    await expect.poll(() => threadNames(page)).toEqual(['Café <b>crème</b>']);
    await searchField(page).fill('fahre or 東京');
    const hit = page.getByRole('link', { name: 'alert(1)' });
    await hit.waitFor();
    await expect.poll(() => marks(page)).toEqual(['Fähre', '東京']);
    await expect
      .poll(() => hit.innerText())
      .toMatch(/^…from it\. <img src=x onerror=alert\(1\) Fähre & 東京 And on\. .*…$/);
    expect(await hit.getAttribute('href')).toBe(`/threads/${trip}/messages/${message}`);
    await searchField(page).fill('gard');
    await expect.poll(() => threadList(page).count()).toBe(1);
    await expect.poll(() => marks(page)).toEqual(['Gardening']);
    await searchField(page).fill('model');
    await expect.poll(() => marks(page)).toEqual(['model']);
    await translateByBrowser(page);
    await searchField(page).fill('from the model');
    await expect.poll(() => marks(page)).toEqual(['from', 'the', 'model']);
    expect(new Set(asked)).toEqual(new Set(['query Threads']));
    await threadList(page).getByText('Hello from the').click();
    await page.waitForURL(/\/threads\/thr_\w+\/messages\/msg_\w+$/);
    await page.locator('[data-marked=true]').waitFor();
    await searchField(page).fill('nowhere');
    await page.getByText('No threads match your search').waitFor();
  });

  it('renames in place and archives, finds what is archived, and keeps a thread at its place by all that, until something is said; shows what the model calls a thread once its name is removed', async () => {
    const person = await personWithThreads(world.service, ['Newer', 'Older']);
    const [, older = ''] = await listIds(person.rest);
    const data = { generatedName: 'Tea for two' };
    await world.service.database.thread.update({ where: { id: older }, data });
    const page = await world.signedIn(person);
    await openList(page);
    const names = () => threadNames(page);
    const act = async (name: string, item: string) => {
      await threadList(page).filter({ hasText: name }).hover();
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const rename = async (from: RegExp, to: string) => {
      await page.getByRole('link', { name: from }).press('F2');
      await page.getByRole('textbox', { name: 'Thread name' }).fill(to);
      await page.keyboard.press('Enter');
    };
    await renameElsewhere(person, older, 'Renamed');
    await expect.poll(names, patient).toEqual(['Newer', 'Renamed']);
    await rename(/Renamed/, 'New name');
    await expect.poll(names, patient).toEqual(['Newer', 'New name']);
    await act('New name', 'Make private');
    await threadList(page).filter({ hasText: 'New name' }).getByTitle('Private').waitFor();
    expect(await names()).toEqual(['Newer', 'New name']);
    await act('New name', 'Archive');
    await expect.poll(names, patient).toEqual(['Newer']);
    await expect.poll(() => listIds(person.rest)).not.toContain(older);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(names, patient).toEqual(['Newer', 'New name']);
    await page.reload();
    await expect.poll(names, patient).toEqual(['Newer', 'New name']);
    await person.rest.send(older, 'Hello');
    await expect.poll(names, patient).toEqual(['New name', 'Newer']);
    await rename(/New name/, '');
    await page.getByRole('link', { name: /Tea for two/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Tea for two' }).waitFor();
    await act('Tea for two', 'Archive');
    await expect.poll(names, patient).toEqual(['Newer']);
    await page.getByRole('button', { name: 'Archived' }).click();
    await page.getByRole('link', { name: /Tea for two/ }).waitFor();
  });

  it('deletes a thread for good after a question, which Cancel answers with no, and moves the focus to its neighbour; keeps the question open with the reason if that failed, takes one that is gone for deleted, and has room for a long name', async () => {
    const long = 'Donaudampfschiff'.repeat(10);
    const person = await personWithThreads(world.service, [long, 'First', 'Second', 'Third']);
    const page = await world.signedIn(person);
    await openList(page);
    await survivesFailures(page, long);
    const stored = () => world.service.database.thread.count({ where: { ownerId: person.id } });
    const dialog = page.getByRole('dialog', { name: 'Delete “Second”?' });
    await askToDelete(page, 'Actions for Second');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, 'Actions for Second');
    expect(await namesBehind(page)).toEqual(['First', 'Second', 'Third']);
    expect(await stored()).toBe(3);
    // The list hears of it before the dialog does.
    const held = await HeldAnswers.of(page, { operation: 'DeleteThread' });
    await askToDelete(page, 'Actions for Second');
    await page.keyboard.press('Tab');
    await focused(page, 'Delete');
    await page.keyboard.press('Enter');
    await expect.poll(() => namesBehind(page), patient).toEqual(['First', 'Third']);
    await page.keyboard.press('Escape');
    for (const name of ['Cancel', 'Delete']) {
      expect(await dialog.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    }
    held.end();
    await page.getByRole('status').getByText('“Second” was deleted.').waitFor({ state: 'attached' });
    await focused(page, 'Third');
    expect(await stored()).toBe(2);
    expect(new URL(page.url()).pathname).toBe('/');
    // Without the feed of the list too, until none is left.
    await HeldAnswers.of(page, { operation: 'ThreadsChanged', isLost: true });
    await page.goto('/');
    for (const [name, rest] of [
      ['First', ['Third']],
      ['Third', []],
    ] as const) {
      await askToDelete(page, `Actions for ${name}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
      await expect.poll(() => namesBehind(page)).toEqual(rest);
    }
    await expect.poll(() => page.evaluate("document.activeElement.closest('.panel') !== null")).toBe(true);
  });

  async function survivesFailures(page: Page, long: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: `Delete “${long}”?` });
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    const fail = async (isLost: true | 'onTheWayBack') => {
      const held = await HeldAnswers.of(page, { operation: 'DeleteThread', isLost });
      await confirm.press('Enter');
      await held.waitFor(1);
      held.end();
      await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe('false');
      await dialog.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    };
    await askToDelete(page, `Actions for ${long}`);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await fail(true);
    expect(await namesBehind(page)).toContain(long);
    await fail('onTheWayBack');
    await expect.poll(() => namesBehind(page), patient).not.toContain(long);
    await confirm.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, 'First');
  }

  it('keeps the newest state of a thread when an outdated response arrives late, and offers to load the page again, rather than an empty one, when the list fails', async () => {
    const person = await personWithThreads(world.service, ['Old name']);
    const [id = ''] = await listIds(person.rest);
    const page = await world.signedIn(person);
    const held = await HeldAnswers.of(page, { operation: 'Threads' });
    await page.goto('/');
    // Once for the page, once more when the subscription stands.
    await held.waitFor(2);
    await renameElsewhere(person, id, 'New name');
    await page.getByRole('link', { name: /New name/ }).waitFor();
    held.end();
    await page.locator('.thread-list[aria-busy=false]').waitFor();
    expect(await threadNames(page)).toEqual(['New name']);

    // The failure is an error of the page.
    for (const event of ['pageerror', 'console'] as const) page.removeAllListeners(event);
    // As an extension of the browser may do.
    await page.evaluate("document.querySelector('.thread-list').parentElement.remove()");
    await person.graphql.data('mutation ($id: ID!) { archiveThread(id: $id) { __typename } }', { id });
    await page.getByRole('heading', { name: 'This page did not load' }).waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Start a thread').waitFor();
  });

  it('loads further pages when the end of the list comes into sight, also where the browser is so busy that it reports several moments of that at once', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `Thread ${index}`);
    const page = await world.signedIn(await personWithThreads(world.service, names));
    await page.addInitScript(() => {
      globalThis.IntersectionObserver = class extends IntersectionObserver {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          const unseen = (entry: IntersectionObserverEntry) => ({ ...entry, isIntersecting: false });
          super((entries, observer) => callback([...entries.map(unseen), ...entries], observer), options);
        }
      };
    });
    await openList(page);
    const allAreThere = async () => {
      await threadList(page).last().scrollIntoViewIfNeeded();
      expect(await threadList(page).count()).toBe(120);
    };
    await vi.waitFor(allAreThere, patient);
    expect(await threadNames(page)).toEqual(names);
  });
});
