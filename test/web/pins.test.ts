/** Pinned threads stand at the top of the list, for the person who pinned them, in every tab and on every device. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DroppingProxy } from '../support/network/dropping-proxy.js';
import { addThreads, colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { threadList } from './pages/pages.js';

describeWeb('pinned threads', (world) => {
  const dayMs = 24 * 3_600_000;
  const menuOf = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Threads' }).getByRole('button', { name: `Actions for ${name}` });

  async function choose(page: Page, name: string, item: string): Promise<void> {
    await menuOf(page, name).press('Enter');
    await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
  }

  /** The headings of the list, each with the threads below it. */
  async function groups(page: Page): Promise<string[][]> {
    const sections = await page.getByRole('navigation', { name: 'Threads' }).getByRole('region').all();
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
    const seeds = ['New', 'Middle', 'Old'].map((name, age) => ({ name, createdAt: new Date(now - age * 40 * dayMs) }));
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
