/**
 * What one does with threads of the list: pinned ones stand at its top, for the person who pinned them, in every tab and on every
 * device; several are archived at once, and come back with one press, as does a single one; and it marks what changed since one
 * looked.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DroppingProxy } from '../support/network/dropping-proxy.js';
import { addThread, addThreads, colleagueOf, newcomer, personWithThreads } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { HeldAnswers } from './conversation/held-answers.js';
import { focused } from './focus.js';
import { answeredThread, seen, threadList, threadNames, write } from './pages/pages.js';

const list = (page: Page) => page.getByRole('navigation', { name: 'Threads' });
const button = (page: Page, name: string) => list(page).getByRole('button', { name, exact: true });

async function choose(page: Page, name: string, item: string): Promise<void> {
  await button(page, `Actions for ${name}`).press('Enter');
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
}

describeWeb('the list of threads', (world) => {
  describe('pinned threads', () => {
    const dayMs = 24 * 3_600_000;
    /** The headings of the list, each with the threads below it. */
    async function groups(page: Page): Promise<string[][]> {
      const sections = await list(page).getByRole('region').all();
      return Promise.all(
        sections.map(async (section) => [
          ...(await section.getByRole('heading').allInnerTexts()),
          ...(await section.locator('.thread-name').allInnerTexts()),
        ]),
      );
    }

    /** A heading that depends on the day of the test. */
    const day = expect.any(String);
    const shows = (page: Page, ...expected: string[][]) => expect.poll(() => groups(page)).toMatchObject(expected);

    const recent = async () => {
      const owner = await newcomer(world.service);
      const now = Date.now();
      const seeds = ['New', 'Middle', 'Old'].map((name, age) => ({
        name,
        createdAt: new Date(now - age * 40 * dayMs),
      }));
      await addThreads(world.service, owner, seeds);
      return owner;
    };

    it('stand above the days, and nowhere else, until they are unpinned, in every tab; the row says why one more cannot be pinned; they are one person’s own, also where a colleague owns the thread, and leave the list when it is made private', async () => {
      const owner = await recent();
      const page = await world.open(owner, '/');
      const other = await page.context().newPage();
      await other.goto('/');
      for (const tab of [page, other]) await threadList(tab).nth(2).waitFor();
      await choose(page, 'Old', 'Pin');
      for (const tab of [page, other]) {
        await shows(tab, ['Pinned', 'Old'], ['Today', 'New'], [day, 'Middle']);
      }
      await choose(page, 'New', 'Pin');
      await shows(page, ['Pinned', 'New', 'Old'], [day, 'Middle']);
      await page.reload();
      await shows(page, ['Pinned', 'New', 'Old'], [day, 'Middle']);
      await choose(page, 'Old', 'Unpin');
      for (const tab of [page, other]) {
        await shows(tab, ['Pinned', 'New'], [day, 'Middle'], [day, 'Old']);
      }

      const seeds = Array.from({ length: 49 }, () => ({ name: 'Filed', archived: true }));
      const ids = await addThreads(world.service, owner, seeds);
      const data = ids.map((threadId) => ({ userId: owner.id, threadId, pinnedAt: new Date() }));
      await world.service.database.threadPin.createMany({ data });
      await choose(page, 'Old', 'Pin');
      await page.getByText('you have pinned 50 threads, and cannot pin more; unpin one first').waitFor();
      await shows(page, ['Pinned', 'New'], [day, 'Middle'], [day, 'Old']);

      const colleagues = await world.open(await colleagueOf(world.service, owner), '/');
      await choose(colleagues, 'Old', 'Pin');
      await shows(colleagues, ['Pinned', 'Old'], ['Today', 'New'], [day, 'Middle']);
      await other.reload();
      await shows(other, ['Pinned', 'New'], [day, 'Middle'], [day, 'Old']);
      await choose(other, 'Old', 'Make private');
      await shows(colleagues, ['Today', 'New'], [day, 'Middle']);
    });

    it('are shown on another device when it connects again, also those that were unpinned', async () => {
      const owner = await recent();
      const proxy = await DroppingProxy.start(world.service.url);
      const page = await world.open(owner, '/', { url: proxy.origin });
      await choose(page, 'Old', 'Pin');
      await shows(page, ['Pinned', 'Old'], ['Today', 'New'], [day, 'Middle']);
      proxy.goDown();
      await page.getByText('Connection lost').waitFor();
      const { database } = world.service;
      const [old, middle] = await Promise.all(
        ['Old', 'Middle'].map((name) => database.thread.findFirstOrThrow({ where: { name, ownerId: owner.id } })),
      );
      await database.threadPin.update({
        where: { userId_threadId: { userId: owner.id, threadId: old?.id ?? '' } },
        data: { threadId: middle?.id ?? '' },
      });
      proxy.comeBack();
      await shows(page, ['Pinned', 'Middle'], ['Today', 'New'], [day, 'Old']);
      await page.context().close();
      await proxy.close();
    });

    it('are wholly there though the list has more pages, and none stands apart in a search', async () => {
      const owner = await newcomer(world.service);
      const now = Date.now();
      const seeds = Array.from({ length: 120 }, (_, age) => ({
        name: `Note ${age}`,
        createdAt: new Date(now - age * 1000),
      }));
      const ids = await addThreads(world.service, owner, seeds);
      const pinned = [ids[119] ?? '', ids[3] ?? ''];
      const data = pinned.map((threadId) => ({ userId: owner.id, threadId, pinnedAt: new Date() }));
      await world.service.database.threadPin.createMany({ data });
      const page = await world.open(owner, '/');
      await expect.poll(async () => (await groups(page))[0]).toEqual(['Pinned', 'Note 3', 'Note 119']);
      await page.getByRole('searchbox', { name: 'Search threads' }).fill('119');
      await expect.poll(() => threadList(page).count()).toBe(1);
      await expect.poll(() => groups(page)).toEqual([]);
    });
  });

  describe('archiving several threads', () => {
    const status = (page: Page, words: string) => list(page).getByRole('status').getByText(words, { exact: true });

    async function open(page: Page): Promise<void> {
      await page.goto('/');
      await threadList(page).first().waitFor();
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
      await expect.poll(() => threadNames(page)).toEqual(['Two', 'Four']);
      const { database } = world.service;
      const archived = () => database.thread.count({ where: { ownerId: owner.id, archived: true } });
      expect(await archived()).toBe(3);
      await focused(page, 'Undo');
      await page.keyboard.press('Enter');
      await expect.poll(() => threadNames(page)).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
      await expect.poll(() => page.evaluate("document.activeElement?.className ?? ''")).toBe('thread-link');
      await expect.poll(archived).toBe(0);

      for (const name of ['One', 'Two']) await choose(page, name, 'Select');
      await status(page, '2 selected').waitFor();
      const { id } = await database.thread.findFirstOrThrow({ where: { ownerId: owner.id, name: 'One' } });
      await owner.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id });
      await status(page, '1 selected').waitFor();
      expect(await threadNames(page)).toEqual(['Two', 'Three', 'Four', 'Five']);
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
      await expect.poll(() => threadNames(page)).toEqual(['One']);
      await button(page, 'Undo').press('Enter');
      await expect.poll(() => threadNames(page)).toEqual(['One', 'Two']);
      await forgets(page);
      await page.getByRole('button', { name: 'Archived', exact: true }).click();
      await expect.poll(() => threadNames(page)).toEqual(['Before']);
      await choose(page, 'Before', 'Select');
      await button(page, 'Unarchive').press('Enter');
      await status(page, '1 thread unarchived').waitFor();
      await expect.poll(() => threadNames(page)).toEqual([]);
      await page.getByRole('button', { name: 'Mine', exact: true }).click();
      await expect.poll(() => threadNames(page)).toEqual(['Before', 'One', 'Two']);
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
      await expect.poll(() => threadNames(page)).toEqual(['One', 'Two']);
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
      expect(await threadNames(page)).toEqual(['Theirs', 'One', 'Two']);
      await page.unroute('**/graphql');
      await list(page).getByRole('checkbox').first().press('Escape');
      await expect.poll(() => list(page).getByRole('checkbox').count()).toBe(0);
    }
  });

  describe('unread threads', () => {
    const unread = (page: Page) => threadList(page).getByRole('link', { name: /^Unread: / });

    /** How far the mark of an unread thread ends before its checkbox begins. */
    const beforeCheckboxPx = (page: Page) =>
      unread(page).evaluate((link) => {
        const { left, width } = getComputedStyle(link, '::before');
        const endPx = link.getBoundingClientRect().left + Number.parseFloat(left) + Number.parseFloat(width);
        return (link.previousElementSibling?.getBoundingClientRect().left ?? 0) - endPx;
      });

    /** The sequence numbers up to which people have read the thread. */
    async function readTo(threadId: string): Promise<number[]> {
      const positions = await world.service.database.readPosition.findMany({ where: { threadId } });
      return positions.map(({ sequence }) => sequence);
    }

    it('are marked in the list and counted in the title until they are opened, in every tab, and are neither those in which one reads the answer as it comes, nor those of colleagues that one has never opened', async () => {
      const owner = await newcomer(world.service);
      const colleague = await colleagueOf(world.service, owner);
      const page = await world.signedIn(owner);
      const threadId = await answeredThread(page, 'A question');
      // Leaving any sooner could cancel the request that marks it as read.
      await expect.poll(() => readTo(threadId), { timeout: 20_000 }).toEqual([4]);
      const marking = await HeldAnswers.of(page, { operation: 'MarkThreadRead' });
      await write(page, 'Another one');
      await expect.poll(() => page.getByRole('button', { name: 'Good answer' }).count()).toBe(2);
      await threadList(page).getByText('Answering').waitFor({ state: 'detached' });
      await marking.waitFor(1);
      expect([await unread(page).count(), await page.title()]).toEqual([0, 'A question · Skein']);
      marking.end();
      await expect.poll(() => readTo(threadId), { timeout: 20_000 }).toEqual([4 * 2]);
      await page.goto('/new');
      await threadList(page).getByRole('link').waitFor();
      expect([await unread(page).count(), await page.title()]).toEqual([0, 'Skein']);
      await colleague.rest.readyThread({ text: 'Not for everybody to read', name: 'Theirs' });
      await threadList(page)
        .getByRole('link', { name: /Theirs/ })
        .waitFor();
      expect([await unread(page).count(), await page.title()]).toEqual([0, 'Skein']);
      const other = await page.context().newPage();
      await other.goto('/new');
      await expect.poll(() => page.title()).toBe('Skein');
      await colleague.rest.answer(await colleague.rest.send(threadId, 'A colleague asks'));
      for (const tab of [page, other]) {
        await unread(tab).waitFor();
        await expect.poll(() => tab.title()).toBe('(1) Skein');
      }
      await page.getByRole('button', { name: /^Actions for A question/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'Select' }).press('Enter');
      expect(await beforeCheckboxPx(page), 'the mark stands before the checkbox').toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      await unread(page).click();
      await seen(page, 'A colleague asks');
      for (const tab of [page, other]) {
        await unread(tab).waitFor({ state: 'detached' });
        await expect.poll(() => tab.title()).not.toContain('(');
      }
      await page.reload();
      await seen(page, 'A colleague asks');
      expect(await unread(page).count()).toBe(0);
    });
  });
});
