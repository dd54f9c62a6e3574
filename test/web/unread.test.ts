/** What changed since one last looked: in the list and in the title of the tab. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { HeldAnswers } from './conversation/held-answers.js';
import { answered, seen, startThread, threadList, write } from './pages/pages.js';

describeWeb('unread threads', (world) => {
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
    const threadId = await startThread(page, 'A question');
    await answered(page);
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
