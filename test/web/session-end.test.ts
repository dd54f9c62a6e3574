/** How a session ends in the browser: it says why, other tabs follow at once, and nothing that was written is lost. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { gate } from '../support/model/model-script.js';
import type { Person } from '../support/service.js';
import { newcomer } from '../support/threads.js';
import { describeWeb, password } from './browser.js';
import { composer, goTo, signedOut } from './pages/pages.js';

describeWeb('the end of a session in the browser', (world) => {
  const words = 'Not finished yet';

  /** A page with something written in it. */
  async function writing(person: Person): Promise<Page> {
    const page = await world.open(person, '/new');
    await composer(page).fill(words);
    return page;
  }

  async function signInAgain(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
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
    await signInAgain(page, person);
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
    await signInAgain(page, ada);
    await written(page).toBe(words);

    // The other tab was let in by that as well.
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You signed out in another tab').waitFor();
    await signInAgain(other, ada);
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
