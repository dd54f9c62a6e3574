/** Tags of threads: their owner files a thread under them, everyone who sees it sees them, and the list shows one tag alone. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Person } from '../support/service.js';
import { addThreads, colleagueOf, newcomer, type ThreadSeed } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { rowsInView, threadList } from './pages/pages.js';

describeWeb('the tags of threads', (world) => {
  /** Threads of the person by their names, newest first, with their tags. */
  async function tagged(person: Person, threads: Record<string, string[]>, seed: ThreadSeed = {}): Promise<string[]> {
    const { database } = world.service;
    const now = Date.now();
    const names = Object.keys(threads);
    const seeds = names.map((name, age) => ({ ...seed, name, createdAt: new Date(now - age * 1000) }));
    const ids = await addThreads(world.service, person, seeds);
    for (const [at, id] of ids.entries()) {
      const tags = threads[names[at] ?? ''] ?? [];
      const { organizationId } = await database.thread.findUniqueOrThrow({ where: { id } });
      const tagKeys = tags.map((tag) => `${organizationId} ${tag.toLowerCase()}`);
      await database.thread.update({ where: { id }, data: { tags, tagKeys } });
    }
    return ids;
  }

  const names = (page: Page) => threadList(page).locator('.thread-name').allInnerTexts();
  const shows = (page: Page, ...expected: string[]) => expect.poll(() => names(page)).toEqual(expected);
  const field = (page: Page) => page.getByRole('combobox', { name: 'Add a tag' });
  const head = (page: Page) => page.getByRole('main').getByRole('list', { name: 'Tags' }).getByRole('listitem');
  const chip = (page: Page) => page.getByRole('button', { name: /^Tagged/ });

  async function openDialog(page: Page): Promise<void> {
    await page.getByRole('main').getByRole('button', { name: 'Actions for this thread' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
    await field(page).waitFor();
  }

  async function choose(page: Page, tag: string): Promise<void> {
    await page.getByRole('button', { name: 'Filter by tag' }).click();
    await page.getByRole('menuitem', { name: tag, exact: true }).click();
  }

  it('are written, completed and removed with the keyboard alone, and shown in every tab without moving the thread; stay as they are after Escape, which keeps what was chosen until Cancel, and say what is too much; filter the list, with the other filters, and the filtered list is live', async () => {
    const owner = await newcomer(world.service);
    const threads = { New: [], Old: ['draft'], Bill: ['Budget', 'x'], Other: ['x', 'hiring'] };
    const [newest = '', id = ''] = await tagged(owner, threads);
    await tagged(owner, { Filed: ['Budget'] }, { archived: true });
    const page = await world.signedIn(owner);
    const other = await page.context().newPage();
    await other.goto('/');
    const stored = () => world.service.database.thread.findUniqueOrThrow({ where: { id } });
    await page.goto(`/threads/${id}`);
    await openDialog(page);
    await field(page).fill('x'.repeat(41));
    await page.keyboard.press('Enter');
    await page.getByText('A tag has at most 40 characters.').waitFor();
    await field(page).fill('a,b,c,d,e,f,g,h,i,j');
    await page.getByText('A thread has at most 10 tags. Remove one first.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => head(page).allInnerTexts()).toEqual(['draft']);
    expect((await stored()).tags).toEqual(['draft']);

    await openDialog(page);
    const tags = page.getByRole('list', { name: 'Tags of the thread' }).getByRole('listitem').locator('bdi');
    await expect.poll(() => tags.count()).toBe(10);
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await openDialog(page);
    await page.keyboard.type('BUD');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Budget']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two words,budget,');
    await expect.poll(() => tags.allInnerTexts()).toEqual(['draft', 'Budget', 'two words']);
    await page.getByRole('button', { name: 'Remove draft' }).press('Enter');
    await expect.poll(() => tags.allInnerTexts()).toEqual(['Budget', 'two words']);
    await expect.poll(() => field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    // What is still in the field is saved with the others.
    await page.keyboard.type('last');
    await page.getByRole('button', { name: 'Save tags' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => head(page).allInnerTexts()).toEqual(['Budget', 'two words', 'last']);
    for (const tab of [page, other]) {
      const link = threadList(tab).getByRole('link', { name: /Old.*Budget, two words, last/ });
      await link.waitFor();
      expect(await link.getAttribute('title')).toMatch(/^Old \(You\)\nTags: Budget, two words, last$/);
      await shows(tab, 'New', 'Old', 'Bill', 'Other');
    }
    const { updatedAt, createdAt } = await stored();
    expect(updatedAt).toEqual(createdAt);
    await filters(page, owner, newest);
  });

  async function filters(page: Page, owner: Person, newest: string): Promise<void> {
    await choose(page, 'Budget');
    await shows(page, 'Old', 'Bill');
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('bill');
    await shows(page, 'Bill');
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('');
    await shows(page, 'Old', 'Bill');
    const tag = 'mutation ($id: ID!) { setThreadTags(input: {id: $id, tags: ["budget"]}) { __typename } }';
    await owner.graphql.data(tag, { id: newest });
    await shows(page, 'New', 'Old', 'Bill');
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await shows(page, 'Filed');
    await choose(page, 'x');
    await page.getByText('None of these threads has the tag x.').waitFor();
    await chip(page).click();
    await shows(page, 'Filed');
    await expect.poll(() => chip(page).count()).toBe(0);
  }

  it('are seen, and not changed, by a colleague, to whom private threads tell none', async () => {
    const owner = await newcomer(world.service);
    const [id = ''] = await tagged(owner, { Shown: ['Budget'] });
    await tagged(owner, { Hidden: ['secret'] }, { isPrivate: true });
    const page = await world.open(await colleagueOf(world.service, owner), `/threads/${id}`);
    await expect.poll(() => head(page).allInnerTexts()).toEqual(['Budget']);
    await page.getByRole('main').getByRole('button', { name: 'Actions for this thread' }).click();
    await page.getByRole('menuitem', { name: 'Pin' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Tags' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter by tag' }).click();
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['With any tags or none', 'Budget']);
  });

  it('leave the rows of the list as high as they are, and give way before the name does', async () => {
    const owner = await newcomer(world.service);
    const many = Array.from({ length: 30 }, (_, n) => [
      `Note ${n}`,
      n % 2 ? [] : ['Budget', 'a much longer tag', 'تسمية'],
    ]);
    const long = 'What was said about the whole of the very long list';
    await tagged(owner, { [long]: ['Budget'], ...Object.fromEntries(many) });
    const page = await world.open(owner, '/', { width: 1280, height: 900 });
    await threadList(page).nth(30).waitFor();
    expect(await rowsInView(page)).toBeGreaterThanOrEqual(20);
    const heights = await threadList(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    const row = (at: number) => threadList(page).nth(at);
    const cut = (at: number) =>
      row(at)
        .locator('.thread-name bdi')
        .evaluate((name) => name.scrollWidth > name.clientWidth);
    /** Those that stand on the line of the row. */
    const chips = (at: number) =>
      row(at)
        .locator('.thread-tags')
        .evaluate((line) => {
          const { top, bottom } = line.getBoundingClientRect();
          const boxes = [...line.children].map((tag) => ({ text: tag.textContent, box: tag.getBoundingClientRect() }));
          return boxes.filter(({ box }) => box.top >= top - 1 && box.bottom <= bottom + 1).map(({ text }) => text);
        });
    expect(await cut(0)).toBe(true);
    expect(await chips(0)).toEqual([]);
    expect(await cut(1)).toBe(false);
    expect((await chips(1))[0]).toBe('Budget');
  });
});
