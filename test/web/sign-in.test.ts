/** Signing in and out with a browser: by a link that works once, by a password, and everywhere or somewhere else. */
import { expect, it } from 'vitest';
import { newcomer } from '../support/threads.js';
import { describeWeb, password } from './browser.js';
import { focused } from './focus.js';
import { goTo, seen, signedOut, startThread } from './pages/pages.js';

describeWeb('signing in with a browser', (world) => {
  it('signs in by a link, sets a password, and signs in again with it to the requested page; tells password managers whose password is set or changed', async () => {
    const person = await newcomer(world.service);
    const page = await world.visitor();
    // They read only fields for text.
    const whose = page.locator('input:not([type])[autocomplete=username]');
    await page.goto(await world.link(person));
    expect(await whose.inputValue()).toBe(person.email);
    await page.getByLabel('Choose a password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    const threadId = await startThread(page, 'A first thread');
    await seen(page, 'Hello from the model.');
    await goTo(page, '/settings/account');
    expect(await whose.inputValue()).toBe(person.email);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
    await page.goto(`/threads/${threadId}`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill('not the password at all');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect e-mail address or password').waitFor();
    await focused(page, 'Password');
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await seen(page, 'Hello from the model.');
    expect(new URL(page.url()).pathname).toBe(`/threads/${threadId}`);
  });

  it('says that it needs cookies where the browser refuses to store anything', async () => {
    const page = await world.visitor();
    // What the browser refuses is an error of the page here.
    page.removeAllListeners('pageerror');
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get });
    });
    await page.goto('/');
    await page.getByText('Allow cookies and site data for this address').waitFor();
  });

  it('lists the sessions, and signs out one other browser, then everywhere: another shows the sign-in at its next request', async () => {
    const person = await newcomer(world.service);
    const [here, there] = [await world.signedIn(person), await world.signedIn(person)];
    await there.goto('/');
    await there.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    await here.goto('/settings/account');
    const rows = here.getByRole('listitem').filter({ hasText: 'Chrome on' });
    await rows.nth(1).waitFor();
    await expect.poll(() => rows.filter({ hasText: 'This browser' }).getByRole('button').count()).toBe(0);
    await rows.getByRole('button', { name: /^Sign out Chrome on/ }).press('Enter');
    await here.getByRole('status').getByText('is signed out').waitFor();
    await here.locator('h2:focus').waitFor();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringMatching(/This browser\s+.*in use now/)]);
    await signedOut(there);
    await here.reload();
    await rows.first().waitFor();

    const another = await world.open(person, '/');
    await another.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    await here.getByRole('button', { name: 'Sign out everywhere' }).click();
    await here.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
    await another.reload();
    await another.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
  });
});
