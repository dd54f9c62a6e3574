/**
 * The settings in the browser: tokens that work until they are revoked, invitations that let a colleague in, and what an
 * administrator does with members, with the keyboard alone where it matters; and what the others see of it.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/service.js';
import { addThreads, colleagueOf, newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, password, WebWorld } from './browser.js';
import { signedOut, startThread } from './pages/pages.js';

describe.skipIf(!hasBrowser)(`the settings in the browser${browserNote}`, () => {
  let world: WebWorld;
  let organizations = 0;
  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(async () => {
    expect(world.problems).toEqual([]);
    await world.stop();
  });

  it('creates a token that REST accepts until it is revoked, and shows it once', async () => {
    const page = await world.signedIn(await newcomer(world.service));
    await page.goto('/settings/tokens');
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByText(/^skn_pat_/).innerText();
    const line = await page.getByText(/^curl /).innerText();
    expect(line).toBe(`curl -H 'Authorization: Bearer ${secret}' ${world.service.url}/api/v1/me`);
    const rest = world.service.client(secret);
    expect((await rest.get('/me')).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Revoked').waitFor();
    expect((await rest.get('/me')).status).toBe(401);
  });

  it('saves everything about the viewer as one file, and goes on where it failed', async () => {
    const person = await newcomer(world.service);
    await addThreads(world.service, person, Array<object>(450).fill({}));
    const page = await world.signedIn(person);
    let pages = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query DataExport')) return route.continue();
      pages += 1;
      return pages === 2 ? route.abort() : route.continue();
    });
    await page.goto('/settings/account');
    const button = page.getByRole('button', { name: 'Download my data' });
    await button.click();
    await page.getByText('Press the button again to go on.').waitFor();
    const saved = page.waitForEvent('download');
    await button.click();
    const file = await saved;
    await page.getByText(/^Saved \d+ records\.$/).waitFor();
    expect(file.suggestedFilename()).toMatch(/^skein-data-\d{4}-\d\d-\d\d\.jsonl$/);
    const text = await readFile(await file.path(), 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; id: string });
    const threads = records.filter(({ type }) => type === 'thread').map(({ id }) => id);
    expect([threads.length, new Set(threads).size, records[0]?.type, pages]).toEqual([450, 450, 'user', 4]);
    const { database } = world.service.service;
    expect(await database.auditEvent.count({ where: { act: 'data_exported', subjectId: person.id } })).toBe(1);
  });

  it('invites a colleague with a link that lets them in', async () => {
    const admin = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    const page = await world.signedIn(admin);
    await page.goto('/settings/members');
    await page.getByLabel('E-mail address').fill('new.colleague@acme.test');
    await page.getByLabel('Name').fill('New Colleague');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByText(/\/auth\/link\?token=/).innerText();
    await page.getByText('New Colleague').waitFor();
    await page.getByLabel('E-mail address').fill('new.colleague@acme.test');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByText('or already has an account.').waitFor();
    const theirs = await world.visitor();
    await theirs.goto(`${world.service.url}/auth/link${new URL(link).search}`);
    await theirs.getByLabel('Choose a password').fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByText('New Colleague').waitFor();
    await theirs.goto('/settings/members');
    await theirs.getByText('Administrators can invite others.').waitFor();
  });

  /** An administrator with the page open, and Grace, a member. */
  async function stage(): Promise<{ org: string; page: Page; grace: Person }> {
    organizations += 1;
    const org = `members-${organizations}`;
    const admin = await world.service.person({ org, name: 'Ada', role: 'admin' });
    const grace = await world.service.person({ org, name: 'Grace' });
    const page = await world.signedIn(admin);
    await page.goto('/settings/members');
    return { org, page, grace };
  }

  const focused = (page: Page) => page.locator(':focus');

  it('makes a member an administrator and back, with a message, and offers nothing for oneself', async () => {
    const { page, grace } = await stage();
    const theirs = await world.signedIn(grace);
    await theirs.goto('/settings/members');
    await theirs.getByText('Administrators can invite others.').waitFor();
    await expect.poll(() => theirs.getByRole('button', { name: /Make|Remove/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Make admin: Grace' }).click();
    await page.getByRole('status').getByText('Grace is now an administrator.').waitFor();
    await page.getByText(`${grace.email} · administrator`).waitFor();
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'Invite a colleague' }).waitFor();
    await page.getByRole('button', { name: 'Make member: Grace' }).click();
    await page.getByRole('status').getByText('Grace is now a member.').waitFor();
    await theirs.reload();
    await theirs.getByText('Administrators can invite others.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Ada/ }).count()).toBe(0);
  });

  it('creates a new link for choosing a new password, and invalidates the previous one', async () => {
    const { page, grace } = await stage();
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
  });

  it('removes a member by the keyboard, after explaining the consequences; their open page shows the sign-in', async () => {
    const { page, grace } = await stage();
    const theirs = await world.signedIn(grace);
    const threadId = await startThread(theirs, 'What Grace wrote');
    await page.getByRole('button', { name: 'Remove Grace' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove Grace?' });
    await dialog.getByText('Their threads and messages stay').waitFor();
    await expect.poll(() => focused(page).innerText()).toBe('Cancel');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Remove Grace');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page).innerText()).toBe('Remove member');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Grace is no longer a member.').waitFor();
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor({ state: 'detached' });
    await page.locator('h2:focus').waitFor();
    await expect.poll(() => focused(page).innerText()).toMatch(/^Members of/);
    await signedOut(theirs);
    expect((await grace.rest.get('/me')).status).toBe(401);
    await page.goto(`/threads/${threadId}`);
    await page.getByRole('region', { name: 'Conversation' }).getByText('What Grace wrote').waitFor();
  });

  it('explains a refusal of the service, and shows a member removed by somebody else as removed', async () => {
    const { org, page, grace } = await stage();
    const other = await world.signedIn(await world.service.person({ org, name: 'Edsger', role: 'admin' }));
    await other.goto('/settings/members');
    const remove = async (name: string) => {
      await other.getByRole('button', { name: `Remove ${name}` }).click();
      await other.getByRole('button', { name: 'Remove member' }).click();
    };
    await other.getByRole('button', { name: 'Remove Grace' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Grace is no longer a member.').waitFor();
    await remove('Grace');
    await other.getByText('Grace is no longer a member.').waitFor();
    await expect.poll(() => other.getByText(grace.email).count()).toBe(0);
    await page.getByRole('button', { name: 'Make member: Edsger' }).click();
    await page.getByText('Edsger is now a member.').waitFor();
    await remove('Ada');
    await other.getByRole('dialog').getByText('Only an administrator who is signed in').waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.getByText('Ada', { exact: true }).waitFor();
  });
});
