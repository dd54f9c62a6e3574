/** Who can read a thread is said where it is begun, where it is written and where it is read. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Person } from '../support/service.js';
import { colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { translateByBrowser } from './language/translate-by-browser.js';
import { outOfPlace } from './pages/out-of-place.js';
import { answered, answeredThread, chooseAction, composer, goTo, hideElsewhere, startThread } from './pages/pages.js';

describeWeb('who can read a thread, in the browser', (world) => {
  const head = (page: Page) => page.getByRole('main').locator('header');
  const isChecked = (page: Page, name: RegExp | string) => page.getByRole('radio', { name }).isChecked();

  let owner: Person;
  let page: Page;
  beforeAll(async () => {
    owner = await newcomer(world.service, { name: 'W'.repeat(200) });
    page = await world.signedIn(owner);
  });

  it('does what the open menu says, though somebody changes it elsewhere meanwhile', async () => {
    const threadId = await answeredThread(page, 'For me alone');
    await page.getByRole('button', { name: 'Actions for this thread' }).click();
    const hide = page.getByRole('menuitem', { name: 'Make private' });
    await hide.waitFor();
    await hideElsewhere(owner, threadId);
    await head(page).getByText('Only me').waitFor();
    await hide.click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByText('Only you can read this thread').waitFor();
  });

  it('says at the composer and in the header who reads, whatever the length of a name, and follows a change, also in a page that the browser translates', async () => {
    const reader = await world.signedIn(await colleagueOf(world.service, owner));
    await goTo(page, '/new');
    await expect.poll(() => isChecked(page, /^Everyone in /)).toBe(true);
    const threadId = await answeredThread(page, 'For all of us');
    await head(page)
      .getByText(/^Everyone in /)
      .waitFor();
    await page.getByText(/^Everyone in .+ can read this thread$/).waitFor();
    await reader.goto(`/threads/${threadId}`);
    await head(reader)
      .getByText(/^Everyone in /)
      .waitFor();
    await head(reader)
      .getByText(/^by W+$/)
      .waitFor();
    expect(await outOfPlace(reader)).toEqual([]);
    await translateByBrowser(page);
    await chooseAction(page, 'Make private');
    await head(page).getByText('Only me').waitFor();
    await page.getByText('Only you can read this thread').waitFor();
    await reader.getByRole('heading', { name: 'There is no such thread' }).waitFor();
  });

  it('begins new threads as chosen in the settings, on each device, lets each thread differ, and goes back to what holds where the service refuses the setting', async () => {
    const person = await newcomer(world.service);
    const page = await world.open(person, '/settings/account');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('SetNewThreadPrivacy') ? route.abort() : route.continue(),
    );
    // Not `check()`, which fails where the choice is put back before it looks.
    await page.getByRole('radio', { name: 'Only me' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await expect.poll(() => isChecked(page, /^Everyone in /)).toBe(true);
    await page.unroute('**/graphql');
    await page.getByRole('radio', { name: /^Everyone in / }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Saved.').waitFor();
    const phone = await world.signedIn(person, { width: 390, height: 844, isTouch: true });
    for (const device of [page, phone]) {
      await goTo(device, '/new');
      await expect.poll(() => isChecked(device, 'Only me')).toBe(true);
    }
    await page.getByRole('radio', { name: /^Everyone in / }).check();
    await composer(page).fill('For all of us');
    await page.reload();
    await expect.poll(() => isChecked(page, /^Everyone in /)).toBe(true);
    await composer(page).press('Enter');
    await answered(page);
    await head(page)
      .getByText(/^Everyone in /)
      .waitFor();
    await startThread(page, 'For me');
    await head(page).getByText('Only me').waitFor();
  });
});
