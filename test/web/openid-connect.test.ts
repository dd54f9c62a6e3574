/** Signing in with a provider in a browser: there and back, to where one wanted to go, and what those see whom it does not help. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, Provider } from '../auth/openid-connect/provider.js';
import { freePort } from '../support/network/free-port.js';
import type { Person } from '../support/service.js';
import { newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, password, WebWorld } from './browser.js';
import { seen } from './pages/pages.js';

describe.skipIf(!hasBrowser)(`signing in with a provider in a browser${browserNote}`, () => {
  let world: WebWorld;
  let provider: Provider;
  let url: string;
  let ada: Person;
  beforeAll(async () => {
    // The provider sends browsers back to the public address, which must be the one that is listened on.
    const port = await freePort();
    provider = await Provider.start();
    url = `http://localhost:${port}`;
    const oidc = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
    const environment = { PORT: String(port), PUBLIC_URL: url, ...oidc, OIDC_NAME: 'Acme ID' };
    world = await WebWorld.start({ environment });
    ada = await newcomer(world.service);
  });
  afterAll(async () => {
    expect(world.problems).toEqual([]);
    await world.stop();
    await provider.close();
  });

  /** A page of somebody whom the provider knows by the address, and who is nobody here yet, at the path. */
  async function arrive(email: string, path = '/'): Promise<Page> {
    provider.identity = { sub: email, email, email_verified: true };
    const page = await world.visitor({ url });
    await page.goto(path);
    return page;
  }

  function goOn(page: Page) {
    return page.getByRole('button', { name: 'Continue with Acme ID' }).click();
  }

  it('reports an unreachable provider, keeps the password next to it, and works when it is back', async () => {
    // The first: whom the service has not asked yet, it cannot send anybody to.
    await provider.close();
    const page = await arrive(ada.email);
    await goOn(page);
    await page.getByRole('alert').getByText('Your sign-in provider cannot be reached.').waitFor();
    await page.getByLabel('Password').waitFor();
    provider = await Provider.start(Number(new URL(provider.issuer).port));
    await goOn(page);
    await page.waitForURL(`${provider.issuer}/authorize?*`);
  });

  it('redirects there and back, to the requested page, also after a sign-in that was cancelled at the provider, which is reported', async () => {
    const { threadId } = await ada.rest.createThread({ text: 'What I came for' });
    const page = await arrive(ada.email, `/threads/${threadId}`);
    await goOn(page);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('You did not finish signing in').waitFor();
    await goOn(page);
    await page.waitForURL(`${provider.issuer}/authorize?*`);
    await page.getByRole('link', { name: `Continue as ${ada.email}` }).click();
    await seen(page, 'What I came for');
    expect(page.url()).toBe(`${url}/threads/${threadId}`);
    const [session] = await page.context().cookies(url);
    expect(session).toMatchObject({ name: 'skein.session_token', httpOnly: true, sameSite: 'Lax' });
  });

  it('tells an unknown user why not and what to do, and signs in with another account to the same page', async () => {
    const page = await arrive('eve@evil.test', '/settings/tokens');
    await goOn(page);
    await page.getByRole('link', { name: 'Continue as eve@evil.test' }).click();
    await page.getByRole('alert').getByText('Ask an administrator to invite that address').waitFor();
    expect(page.url()).toBe(`${url}/settings/tokens`);
    expect(await world.service.database.user.count({ where: { email: 'eve@evil.test' } })).toBe(0);
    provider.identity = { sub: ada.email, email: ada.email, email_verified: true };
    await goOn(page);
    await page.getByRole('link', { name: `Continue as ${ada.email}` }).click();
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    expect(page.url()).toBe(`${url}/settings/tokens`);
  });

  it('says where a password comes from to somebody who has none', async () => {
    const page = await arrive(ada.email, '/settings');
    await goOn(page);
    await page.getByRole('link', { name: `Continue as ${ada.email}` }).click();
    await page.getByLabel('Current password').fill('none at all');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').getByText('Ask an administrator for a sign-in link').waitFor();
  });

  it('refuses a callback of a sign-in that another browser began, and says so', async () => {
    const attacker = await arrive(ada.email);
    await goOn(attacker);
    const answer = await attacker.getByRole('link', { name: /^Continue as/ }).getAttribute('href');
    const victim = await arrive(ada.email, answer ?? '');
    await victim.getByRole('alert').getByText('started in another window').waitFor();
    expect(await victim.context().cookies(url)).toEqual([]);
  });
});
