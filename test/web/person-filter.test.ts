/** The list of threads of one colleague: what they start appears in it, and nobody else's threads do. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createId } from '../../src/ids.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { goTo, threadList } from './pages/pages.js';

describeWeb('the threads of one person', (world) => {
  const team = async () => {
    const ada = await newcomer(world.service);
    const bob = await colleagueOf(world.service, ada);
    await world.service.database.user.update({ where: { id: bob.id }, data: { name: 'Bob Baker' } });
    await addThread(world.service, ada, { name: 'Of Ada' });
    await addThreads(world.service, bob, [{ name: 'Plan of Bob' }, { name: 'Notes of Bob' }]);
    return { ada, bob };
  };
  const names = (page: Page) => threadList(page).locator('.thread-name').allInnerTexts();
  const shows = (page: Page, ...expected: string[]) =>
    expect.poll(async () => (await names(page)).toSorted()).toEqual(expected);
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
