/**
 * A session in the browser: how it begins, by a link or a password, and how it ends; why is said, and nothing that was written is
 * lost.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { gate } from '../support/model/model-script.js';
import type { Person } from '../support/service.js';
import { newcomer } from '../support/threads.js';
import { describeWeb, password } from './browser.js';
import { focused } from './focus.js';
import { composer, goTo, seen, signedOut, startThread, submitSignIn } from './pages/pages.js';

describeWeb('a session in the browser', (world) => {
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
    await submitSignIn(page, person);
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

  const words = 'Not finished yet';

  /** A page with something written in it. */
  async function writing(person: Person): Promise<Page> {
    const page = await world.open(person, '/new');
    await composer(page).fill(words);
    return page;
  }

  const written = (page: Page) => expect.poll(() => composer(page).inputValue());
  const signIn = (page: Page) => page.getByRole('heading', { name: 'Sign in to Skein' }).waitFor();
  const tabBeside = (page: Page) => page.context().newPage();

  /** Holds back the answer to a request that the service has carried out. Returns a function that lets it through. */
  async function heldAnswer(page: Page, path: string): Promise<() => void> {
    const { passed, open } = gate();
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      await passed;
      await route.fulfill({ response });
    });
    return open;
  }

  const drafts = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('skein.draft.')));

  const ends: [string, RegExp, (person: Person) => Promise<unknown>][] = [
    [
      'another browser signed out',
      /^You were signed out: in another browser/,
      ({ id }) => world.service.database.session.deleteMany({ where: { userId: id } }),
    ],
    [
      'the session has expired',
      /^Your session has expired\./,
      ({ id }) =>
        world.service.database.session.updateMany({ where: { userId: id }, data: { expiresAt: new Date(0) } }),
    ],
  ];

  it.each(ends)('says in every tab that %s, and has what was written', async (_what, reason, end) => {
    const person = await newcomer(world.service);
    const page = await writing(person);
    const other = await tabBeside(page);
    await other.goto('/new');
    await written(other).toBe(words);
    // It can learn of the end from the other tab alone.
    await other.route(/\/graphql/, (route) => route.abort());
    await end(person);
    await signedOut(page);
    for (const tab of [page, other]) await tab.getByRole('status').getByText(reason).waitFor();
    await other.close();
    // The stream of the last session has ended; that of the next one is slow to open.
    await page.route('**/graphql/stream', () => undefined);
    await submitSignIn(page, person);
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
    await page.unrouteAll();
    await page.goto('/new');
    await written(page).toBe(words);
  });

  it('says that the session has expired where the browser has dropped its cookie, that an administrator removed the person, and nothing to a newcomer', async () => {
    const visitor = await world.visitor();
    await visitor.goto('/');
    await signIn(visitor);
    await expect.poll(() => visitor.getByRole('status').allInnerTexts()).toEqual(['']);
    const person = await newcomer(world.service);
    const page = await writing(person);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.reload();
    await page.getByText('Your session has expired.').waitFor();
    await page.context().addCookies(cookies);
    await page.reload();
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    const { database } = world.service;
    await database.user.update({ where: { id: person.id }, data: { removedAt: new Date() } });
    await signedOut(page);
    await page.getByText('An administrator removed you').waitFor();
  });

  it('leaves a tab when somebody else signs in beside it, and keeps the drafts of the two apart; signs out every tab at once, and lets all of them in again with the first sign-in', async () => {
    const [ada, bob] = [await newcomer(world.service), await newcomer(world.service)];
    const page = await writing(ada);
    const other = await tabBeside(page);
    // Without one, a link asks for it.
    await world.givePassword(bob);
    const token = new URL(await world.link(bob)).searchParams.get('token');
    const headers = { origin: world.service.url };
    const answer = await other.request.post('/auth/sign-in/link', { data: { token }, headers });
    expect(answer.status()).toBe(200);
    await other.goto('/new');
    await page.getByText('Somebody else signed in in another tab').waitFor();
    await written(other).toBe('');
    await page.getByRole('button', { name: 'Continue as the other person' }).click();
    await written(page).toBe('');
    await goTo(other, '/settings/account');
    await other.getByText(bob.email).waitFor();
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You signed out in another tab').waitFor();
    await other.getByText('You are signed out.').waitFor();
    await submitSignIn(page, ada);
    await written(page).toBe(words);

    // The other tab was let in by that as well.
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You signed out in another tab').waitFor();
    await submitSignIn(other, ada);
    // What was written went with the sign-out, also from the tab that had it.
    await composer(page).waitFor();
    await written(page).toBe('');

    // Both are refused before the one that signs out has its answer.
    const answered = await heldAnswer(other, '/auth/sign-out');
    await composer(page).fill(words);
    await expect.poll(() => drafts(other)).toHaveLength(1);
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await other.getByText('You are signed out.').waitFor();
    await signIn(page);
    answered();
    await page.getByText('You signed out in another tab').waitFor();
    await expect.poll(() => drafts(other)).toEqual([]);
  });
});
