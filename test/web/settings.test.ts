/** The settings in the browser: tokens that work until they are revoked, and invitations that let a colleague in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, password, WebWorld } from './browser.js';

describe.skipIf(!hasBrowser)(`the settings in the browser${browserNote}`, () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(async () => {
    expect(world.problems).toEqual([]);
    await world.stop();
  });

  it('makes a token that REST accepts until it is revoked, and shows it once', async () => {
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

  it('invites a colleague with a link that lets them in', async () => {
    const admin = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    const page = await world.signedIn(admin);
    await page.goto('/settings/members');
    await page.getByLabel('E-mail address').fill('new.colleague@acme.test');
    await page.getByLabel('Name').fill('New Colleague');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByText(/\/auth\/link\?token=/).innerText();
    await page.getByText('New Colleague').waitFor();
    const theirs = await world.visitor();
    await theirs.goto(`${world.service.url}/auth/link${new URL(link).search}`);
    await theirs.getByLabel('Choose a password').fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByText('New Colleague').waitFor();
    await theirs.goto('/settings/members');
    await theirs.getByText('Administrators can invite others.').waitFor();
  });
});
