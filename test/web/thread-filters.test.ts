/**
 * What the list of threads is filtered by. Tags: their owner files a thread under them, everyone who sees it sees them, and the
 * list shows one tag alone. A person: what they start appears in the list, and nobody else's threads do.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createId } from '../../src/ids.js';
import type { Person } from '../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer, type ThreadSeed } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { chooseAction, goTo, rowsInView, threadList, threadNames } from './pages/pages.js';

describeWeb('the filters of the list of threads', (world) => {
  describe('the tags of threads', () => {
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

    const shows = (page: Page, ...expected: string[]) => expect.poll(() => threadNames(page)).toEqual(expected);
    const field = (page: Page) => page.getByRole('combobox', { name: 'Add a tag' });
    const head = (page: Page) => page.getByRole('main').getByRole('list', { name: 'Tags' }).getByRole('listitem');
    const chip = (page: Page) => page.getByRole('button', { name: /^Tagged/ });

    async function openDialog(page: Page): Promise<void> {
      await chooseAction(page, 'Tags');
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
      const heights = await threadList(page).evaluateAll((rows) =>
        rows.map((row) => row.getBoundingClientRect().height),
      );
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
            const boxes = [...line.children].map((tag) => ({
              text: tag.textContent,
              box: tag.getBoundingClientRect(),
            }));
            return boxes.filter(({ box }) => box.top >= top - 1 && box.bottom <= bottom + 1).map(({ text }) => text);
          });
      expect(await cut(0)).toBe(true);
      expect(await chips(0)).toEqual([]);
      expect(await cut(1)).toBe(false);
      expect((await chips(1))[0]).toBe('Budget');
    });
  });

  describe('the threads of one person', () => {
    const team = async () => {
      const ada = await newcomer(world.service);
      const bob = await colleagueOf(world.service, ada);
      await world.service.database.user.update({ where: { id: bob.id }, data: { name: 'Bob Baker' } });
      await addThread(world.service, ada, { name: 'Of Ada' });
      await addThreads(world.service, bob, [{ name: 'Plan of Bob' }, { name: 'Notes of Bob' }]);
      return { ada, bob };
    };
    const shows = (page: Page, ...expected: string[]) =>
      expect.poll(async () => (await threadNames(page)).toSorted()).toEqual(expected);
    const button = (page: Page) => page.getByRole('button', { name: 'Filter by person' });
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'Filter by person' });
    const options = (page: Page) => dialog(page).getByRole('listitem');
    const chip = (page: Page) => page.getByRole('button', { name: /^Threads of/ });

    it('are shown until everyone is chosen again, by keyboard and by pointer, and are not those of the views that have only threads of the viewer; what the person starts appears, and what others start does not; are chosen in a tab until the person signs out', async () => {
      const { ada, bob } = await team();
      const page = await world.open(ada, '/');
      await shows(page, 'Notes of Bob', 'Of Ada', 'Plan of Bob');
      expect(await button(page).getAttribute('aria-haspopup')).toBe('dialog');
      await button(page).press('Enter');
      await expect.poll(() => options(page).allInnerTexts()).toEqual(['Everyone', `Bob Baker ${bob.email}`]);
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
      await shows(page, 'Notes of Bob', 'Plan of Bob');
      await expect.poll(() => button(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await page.getByRole('searchbox', { name: 'Search threads' }).fill('plan');
      await shows(page, 'Plan of Bob');
      await page.getByRole('searchbox', { name: 'Search threads' }).fill('');
      await shows(page, 'Notes of Bob', 'Plan of Bob');
      await chip(page).click();
      await shows(page, 'Notes of Bob', 'Of Ada', 'Plan of Bob');
      await expect.poll(() => chip(page).count()).toBe(0);

      await page.getByRole('button', { name: 'Mine', exact: true }).click();
      await shows(page, 'Of Ada');
      await button(page).click();
      await options(page).filter({ hasText: 'Bob Baker' }).click();
      await shows(page, 'Notes of Bob', 'Plan of Bob');
      await page.getByRole('button', { name: 'Archived', exact: true }).click();
      await page.getByText('Bob Baker has no archived threads that you can read.').waitFor();
      await page.getByRole('button', { name: 'Mine', exact: true }).click();
      await shows(page, 'Of Ada');
      await expect.poll(() => chip(page).count()).toBe(0);

      await button(page).click();
      await options(page).filter({ hasText: 'Bob Baker' }).click();
      await shows(page, 'Notes of Bob', 'Plan of Bob');
      await ada.rest.createThread({ text: 'Another one of Ada' });
      await bob.rest.createThread({ text: 'A new one of Bob' });
      await shows(page, 'A new one of Bob', 'Notes of Bob', 'Plan of Bob');

      await page.reload();
      await shows(page, 'A new one of Bob', 'Notes of Bob', 'Plan of Bob');
      await chip(page).click();
      await shows(page, 'A new one of Bob', 'Another one of Ada', 'Notes of Bob', 'Of Ada', 'Plan of Bob');

      await page.getByRole('button', { name: 'Mine', exact: true }).click();
      await shows(page, 'Another one of Ada', 'Of Ada');
      const kept = () => page.evaluate('JSON.stringify(sessionStorage)');
      expect(await kept()).toContain('mine');
      await goTo(page, '/settings');
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await kept()).not.toContain('mine');
    });

    it('are found by a search where the colleagues are many, however many have joined before them, by the keyboard alone', async () => {
      const { ada } = await team();
      const { database } = world.service;
      const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
      const names = Array.from({ length: 600 }, (_, index) => `Colleague ${index + 1}`);
      const email = (name: string) => `${name.replace(' ', '-')}@many.test`;
      await database.user.createMany({
        data: names.map((name) => ({ id: createId('usr'), organizationId, email: email(name), name })),
      });
      const page = await world.open(ada, '/');
      await shows(page, 'Notes of Bob', 'Of Ada', 'Plan of Bob');
      await button(page).press('Enter');
      await dialog(page).getByText('The first 20 are shown. Search for others.').waitFor();
      await expect.poll(() => options(page).count()).toBe(21);
      const first = await options(page).allInnerTexts();
      expect(first.slice(1), 'Colleague 10 after Colleague 9').toEqual(
        first.slice(1).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })),
      );
      await page.keyboard.type('colleague 600');
      await expect
        .poll(() => options(page).allInnerTexts())
        .toEqual(['Everyone', `Colleague 600 ${email('Colleague 600')}`]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Threads of Colleague 600').waitFor();
      await expect.poll(() => button(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await button(page).press('Enter');
      await page.keyboard.type('nobody at all');
      await dialog(page).getByText('Nobody found.').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => dialog(page).count()).toBe(0);
    });
  });
});
