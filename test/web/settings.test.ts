/**
 * The settings in the browser: tokens that work until they are revoked, invitations that let a colleague in, what an administrator
 * does with members, with the keyboard alone where it matters, and reads of ratings; and what the others see of it. Where HTTP
 * responses come late or somebody presses twice, each thing happens once, and what is newest counts.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Person } from '../support/service.js';
import { addThreads, colleagueOf, newcomer } from '../support/threads.js';
import { describeWeb, password } from './browser.js';
import { drawn, HeldAnswers } from './conversation/held-answers.js';
import { translateByBrowser } from './language/translate-by-browser.js';
import { answered, answeredThread, goTo, leaveThread, signedOut, startThread } from './pages/pages.js';

describeWeb('the settings in the browser', (world) => {
  const focused = (page: Page) => page.locator(':focus');

  /** Of somebody with many colleagues, who becomes an administrator. */
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    const org = 'many';
    person = await world.service.person({ org, name: 'Ada' });
    const names = Array.from({ length: 20 }, (_, index) => `Colleague ${index + 1}`);
    for (const name of names) await world.service.person({ org, name });
    page = await world.signedIn(person);
  });

  it('creates a token that REST accepts until it is revoked, and shows it once; saves everything about the viewer as one file, and goes on where it failed and while another page is shown', async () => {
    await addThreads(world.service, person, Array<object>(450).fill({}));
    await page.goto('/settings/tokens');
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
    const boxes = await page.getByRole('checkbox').all();
    const create = page.getByRole('button', { name: 'Create token' });
    for (const box of boxes) await box.uncheck();
    await create.click();
    await page.getByRole('alert').getByText('Select at least one permission.').waitFor();
    await expect.poll(() => focused(page).getAttribute('type')).toBe('checkbox');
    for (const box of boxes) await box.check();
    await create.click();
    const secret = await page.getByText(/^skn_pat_/).innerText();
    const line = await page.getByText(/^curl /).innerText();
    expect(line).toBe(`curl -H 'Authorization: Bearer ${secret}' ${world.service.url}/api/v1/me`);
    const rest = world.service.client(secret);
    expect((await rest.get('/me')).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor();
    await translateByBrowser(page);
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Revoked').waitFor();
    expect((await rest.get('/me')).status).toBe(401);

    let pages = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query DataExport')) return route.continue();
      pages += 1;
      return pages === 2 ? route.abort() : route.continue();
    });
    await goTo(page, '/settings/account');
    const button = page.getByRole('button', { name: 'Download my data' });
    await button.click();
    await page.getByText('Press the button again to go on.').waitFor();
    const saved = page.waitForEvent('download');
    await button.click();
    await page.getByRole('link', { name: 'API tokens' }).click();
    const file = await saved;
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText(/^Saved \d+ records\.$/).waitFor();
    expect(file.suggestedFilename()).toMatch(/^skein-data-\d{4}-\d\d-\d\d\.jsonl$/);
    const text = await readFile(await file.path(), 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; id: string });
    const threads = records.filter(({ type }) => type === 'thread').map(({ id }) => id);
    expect([threads.length, new Set(threads).size, records[0]?.type, pages]).toEqual([450, 450, 'user', 4]);
    const { database } = world.service;
    expect(await database.auditEvent.count({ where: { act: 'data_exported', subjectId: person.id } })).toBe(1);
  });

  it('has the pages of an administrator for somebody who has become one since the application was loaded', async () => {
    await goTo(page, '/new');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await world.service.database.user.update({ where: { id: person.id }, data: { role: 'admin' } });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: /^Usage of/ }).waitFor();
  });

  it('invites a colleague with a link that lets them in', async () => {
    await goTo(page, '/settings/members');
    await page.getByLabel('E-mail address', { exact: true }).fill('new.colleague@acme.test');
    await page.getByLabel('Name', { exact: true }).fill('New Colleague');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByText(/\/auth\/link\?token=/).innerText();
    await page.getByText('New Colleague').waitFor();
    await page.getByLabel('E-mail address', { exact: true }).fill('new.colleague@acme.test');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByText('or already has an account.').waitFor();
    await expect.poll(() => focused(page).getAttribute('type')).toBe('email');
    expect(await focused(page).getAttribute('aria-invalid')).toBe('true');
    const theirs = await world.visitor();
    await theirs.goto(`${world.service.url}/auth/link${new URL(link).search}`);
    await theirs.getByLabel('Choose a password').fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByText('New Colleague').waitFor();
    await goTo(theirs, '/settings/members');
    await theirs.getByText('Administrators can invite others.').waitFor();
  });

  it('searches members where they are many, and keeps the search where it finds few or nobody, also in a page that the browser translates', async () => {
    await goTo(page, '/settings/members');
    const search = page.getByRole('searchbox', { name: 'Search by name or e-mail address' });
    await search.fill('colleague 20');
    const rows = page.locator('.settings-list > li');
    await expect.poll(() => rows.count()).toBe(1);
    await search.fill('nobody');
    await page.getByText('Nobody found.').waitFor();
    await translateByBrowser(page);
    await search.fill('');
    await expect.poll(() => rows.count()).toBe(22);
  });

  it('lets administrators make a member one of them and back, give a new link for a new password, and remove by the keyboard, after explaining the consequences; refusals are explained', async () => {
    const org = 'members';
    const person = (name: string, role: 'admin' | 'member') => world.service.person({ org, name, role });
    const grace = await person('Grace', 'member');
    const page = await world.open(await person('Ada', 'admin'), '/settings/members');
    const lost = await world.link(grace);
    await page.getByRole('button', { name: 'New link for Grace' }).click();
    const link = new URL(await page.getByText(/\/auth\/link\?token=/).innerText());
    await page.getByText(`Send this link to ${grace.email}.`).waitFor();
    const theirs = await world.visitor();
    await theirs.goto(lost);
    await theirs.getByText('Ask an administrator').waitFor();
    await theirs.goto(`/auth/link${link.search}`);
    await theirs.getByLabel('Choose a password').fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('heading', { name: 'What should we work on?' }).waitFor();

    await goTo(theirs, '/settings/members');
    await theirs.getByText('Administrators can invite others.').waitFor();
    await expect.poll(() => theirs.getByRole('button', { name: /Make|Remove/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Make admin: Grace' }).click();
    await page.getByRole('status').getByText('Grace is now an administrator.').waitFor();
    await page.getByText(`${grace.email} · administrator`).waitFor();
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'Invite a colleague' }).waitFor();
    await translateByBrowser(page);
    await page.getByRole('button', { name: 'Make member: Grace' }).click();
    await page.getByRole('status').getByText('Grace is now a member.').waitFor();
    await page.getByText(`${grace.email} · member`).waitFor();
    await theirs.reload();
    await theirs.getByText('Administrators can invite others.').waitFor();
    // Nothing is offered for oneself.
    await expect.poll(() => page.getByRole('button', { name: /Ada/ }).count()).toBe(0);
    const threadId = await startThread(theirs, 'What Grace wrote');

    const other = await world.open(await person('Edsger', 'admin'), '/settings/members');
    await other.getByRole('button', { name: 'Remove Grace' }).waitFor();
    await removeByKeyboard(page);
    await signedOut(theirs);
    expect((await grace.rest.get('/me')).status).toBe(401);

    const remove = async (name: string) => {
      await other.getByRole('button', { name: `Remove ${name}` }).click();
      await other.getByRole('button', { name: 'Remove member' }).click();
    };
    await remove('Grace');
    await other.getByText('Grace is no longer a member.').waitFor();
    await expect.poll(() => other.getByText(grace.email).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Make member: Edsger' }).click();
    await page.getByText('Edsger is now a member.').waitFor();
    await remove('Ada');
    await other.getByRole('dialog').getByText('Only an administrator who is signed in').waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.getByText('Ada', { exact: true }).waitFor();
    await goTo(page, `/threads/${threadId}`);
    await page.getByRole('region', { name: 'Conversation' }).getByText('What Grace wrote').waitFor();
  });

  async function removeByKeyboard(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Remove Grace' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove Grace?' });
    await dialog.getByText('Their threads and messages stay').waitFor();
    await expect.poll(() => focused(page).innerText()).toBe('Cancel');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Remove Grace');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page).innerText()).toBe('Cancel');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page).innerText()).toBe('Remove member');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Grace is no longer a member.').waitFor();
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor({ state: 'detached' });
    await page.locator('h2:focus').waitFor();
    await expect.poll(() => focused(page).innerText()).toMatch(/^Members of/);
  }

  it('shows an administrator who rated what, with the comment, and leads to the answer; it is no page for a member', async () => {
    const grace = await newcomer(world.service, { name: 'Grace' });
    const rating = await world.signedIn(grace);
    const threadId = await answeredThread(rating, 'Hello');
    await rating.getByRole('button', { name: 'Bad answer' }).click();
    await rating.getByRole('textbox', { name: 'Comment' }).fill('It rambles');
    await rating.getByRole('button', { name: 'Save comment' }).click();
    await rating.getByRole('dialog').waitFor({ state: 'detached' });

    await goTo(rating, '/settings');
    await rating.getByRole('link', { name: 'API tokens' }).waitFor();
    expect(await rating.getByRole('link', { name: 'Feedback' }).count()).toBe(0);
    await goTo(rating, '/settings/feedback');
    await rating.getByRole('heading', { name: 'This page is for administrators' }).waitFor();

    const page = await world.open(await colleagueOf(world.service, grace, { role: 'admin' }), '/settings');
    await page.getByRole('link', { name: 'Feedback' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'It rambles' });
    await entry.getByText('Grace').waitFor();
    expect(await entry.innerText()).toContain('Bad answer');
    await page.getByRole('button', { name: 'Good', exact: true }).click();
    await page.getByText('No ratings yet.').waitFor();
    await page.getByRole('button', { name: 'Bad', exact: true }).click();
    await entry.getByRole('link').click();
    await page.waitForURL(new RegExp(`/threads/${threadId}/messages/msg_`));
  });

  it('creates one token for two clicks, and keeps it in the list when an older list arrives; undoes a failed rating with a message, but not the one that followed it; stays signed in when a request of the previous session is refused late', async () => {
    const person = await newcomer(world.service);
    const page = await world.open(person, '/settings');
    const lists = await HeldAnswers.of(page, { operation: 'AccessTokens' });
    const making = await HeldAnswers.of(page, { operation: 'CreateAccessToken' });
    await page.getByRole('link', { name: 'API tokens' }).click();
    await lists.waitFor(1);
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
    const button = page.getByRole('button', { name: 'Create token' });
    await button.click();
    await button.click({ force: true });
    await making.waitFor(1);
    making.end();
    await page.getByText(/^skn_pat_/).waitFor();
    await lists.waitFor(2);
    lists.release(1);
    await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor();
    const older = page.waitForEvent('requestfinished');
    lists.release(0);
    await older;
    await drawn(page);
    expect(await page.getByRole('button', { name: 'Revoke Nightly report' }).count()).toBe(1);
    expect(making.count, 'tokens that were asked for').toBe(1);

    await page.getByRole('button', { name: 'I have copied it' }).click();
    await answeredThread(page, 'Hello');
    const rating = await HeldAnswers.of(page, { operation: 'SubmitFeedback', isLost: true });
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await page.getByRole('dialog').press('Escape');
    await rating.waitFor(1);
    await drawn(page);
    expect(rating.count, 'ratings under way').toBe(1);
    const stored = page.waitForResponse((answer) => /SubmitFeedback/.test(answer.request().postData() ?? ''));
    rating.end();
    await stored;
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    const lost = await HeldAnswers.of(page, { operation: 'SubmitFeedback', isLost: true });
    await page.getByRole('button', { name: 'Good answer' }).click();
    await lost.waitFor(1);
    lost.end();
    await page.getByText('The service cannot be reached').waitFor();
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    await page.reload();
    await answered(page);
    await expect.poll(() => pressed(page)).toEqual(['Bad answer']);
    await staysSignedIn(page, person);
  });

  async function staysSignedIn(page: Page, person: Person): Promise<void> {
    // Five seconds after the page was loaded, a thread subscribes to who is there: a refusal of that would come first.
    await leaveThread(page);
    await page.context().clearCookies();
    const old = await HeldAnswers.of(page, { operation: 'Threads' });
    await page.getByRole('button', { name: 'Mine' }).click();
    await old.waitFor(1);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(password);
    old.letThrough();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    const refusal = page.waitForResponse((response) => response.status() === 401);
    old.end();
    await refusal;
    await drawn(page);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  }

  it('stays on a page that was reached when an earlier attempt fails late', async () => {
    const person = await newcomer(world.service);
    const page = await world.signedIn(person);
    const asked = await HeldAnswers.of(page, { operation: 'Me', isLost: true });
    await page.goto('/');
    await asked.waitFor(1);
    asked.release(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked.waitFor(3);
    const failed = page.waitForEvent('requestfailed');
    asked.release(2);
    await failed;
    asked.letThrough();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    const last = page.waitForEvent('requestfailed');
    asked.end();
    await last;
    await drawn(page);
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  });
});

function pressed(page: Page): Promise<(string | null)[]> {
  return page
    .getByRole('button', { name: / answer$/, pressed: true })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
}
