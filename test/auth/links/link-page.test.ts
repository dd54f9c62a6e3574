/** The page behind a link that signs in once. */
import { describe, expect } from 'vitest';
import { linkLanguages } from '../../../src/auth/link-texts.js';
import { languageNames } from '../../../src/web/language/languages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { browserOf } from '../browser.js';
import { linkSecret, password, signedIn } from '../people.js';

const it = serviceTest().extend('ada', { scope: 'file' }, ({ service }) => service.person({ name: 'Ada <b>' }));

const me = '{ me { sub } }';

async function open(service: TestService, token: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await browserOf(service).fetch(`/auth/link?token=${token}`);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function replacedLink({ service, ada }: { service: TestService; ada: Person }): Promise<string> {
  const token = await linkSecret(service, ada);
  await linkSecret(service, ada);
  return token;
}

async function expiredLink({ service, ada }: { service: TestService; ada: Person }): Promise<string> {
  const token = await linkSecret(service, ada);
  const data = { expiresAt: new Date(Date.now() - 1) };
  await service.database.signInLink.update({ where: { userId: ada.id }, data });
  return token;
}

describe('GET /auth/link', () => {
  it('shows who signs in and does not use up the link, however often it is opened', async ({ service, ada }) => {
    const token = await linkSecret(service, ada);
    for (const _ of [1, 2]) {
      const { status, text, headers } = await open(service, token);
      expect(status).toBe(200);
      expect(text).toContain(ada.email);
      expect(text).toContain('Ada &lt;b&gt;');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(service.log.join('')).not.toContain(token);
  });

  it('is in the language that the browser asks for, one of those of the web application', async ({ service, ada }) => {
    expect(linkLanguages).toEqual(Object.keys(languageNames));
    const token = await linkSecret(service, ada);
    const titles = new Set<string>();
    for (const language of linkLanguages) {
      const headers = { 'accept-language': `xx, ${language}-XX;q=0.9, en;q=0.1` };
      const pages = [token, 'nonsense'].map(async (secret) => {
        return (await fetch(`${service.url}/auth/link?token=${secret}`, { headers })).text();
      });
      for (const text of await Promise.all(pages)) {
        expect(text).toMatch(
          new RegExp(`<html lang="${language}(-Hans)?" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`),
        );
        expect(text, 'a value or a link that was not put in').not.toMatch(/[{}[\]]|undefined/);
        titles.add(/<title>.*<\/title>/.exec(text)?.[0] ?? '');
      }
      const [page = ''] = await Promise.all(pages);
      expect(page).toContain('Ada &lt;b&gt;');
      expect(page).toContain(ada.email);
    }
    expect(titles.size).toBe(2 * linkLanguages.length);
    const body = new URLSearchParams({ token, password: 'eleven char' });
    const refused = await fetch(`${service.url}/auth/link`, {
      ...{ method: 'POST', body, headers: { 'accept-language': 'de-AT', origin: service.url } },
    });
    expect(await refused.text()).toContain('Verwenden Sie mindestens 12 Zeichen.');
  });

  type MakeToken = (actors: { service: TestService; ada: Person }) => Promise<string>;
  it.for<[string, MakeToken]>([
    ['a link that never was', () => Promise.resolve('nonsense"><script>')],
    ['a link that a newer one replaced', replacedLink],
    ['a link whose time is over', expiredLink],
  ])('is 410 with what to do for %s', async ([_what, makeToken], { service, ada }) => {
    const token = await makeToken({ service, ada });
    const { status, text } = await open(service, encodeURIComponent(token));
    expect(status).toBe(410);
    expect(text).toContain('Ask an administrator for a new one');
    expect(text).not.toContain('<script>');
    const browser = browserOf(service);
    expect((await browser.submit('/auth/link', { token, password })).status).toBe(410);
    expect(browser.cookies).toBe('');
  });

  it('loads its style from the service, as its policy requires', async ({ service }) => {
    const response = await browserOf(service).fetch('/auth/link.css');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('names the icon of the application, and lets the browser load it', async ({ service, ada }) => {
    const { text, headers } = await open(service, await linkSecret(service, ada));
    expect(text).toContain('<link rel="icon" href="../icon.svg" type="image/svg+xml">');
    expect(headers.get('content-security-policy')).toContain("img-src 'self'");
  });
});

describe('POST /auth/link', () => {
  it('signs in once with the chosen password, and redirects to the application', async ({ service }) => {
    const bob = await service.person();
    const token = await linkSecret(service, bob);
    const browser = browserOf(service);
    const response = await browser.submit('/auth/link', { token, password });
    expect(response.status).toBe(303);
    expect(new URL(response.headers.get('location') ?? '', response.url).pathname).toBe('/');
    expect(await browser.graphql(me)).toEqual({ me: { sub: bob.id } });
    expect((await browserOf(service).submit('/auth/link', { token, password })).status).toBe(410);
    const again = await browserOf(service).post('/auth/sign-in/email', { email: bob.email, password });
    expect(again.status).toBe(200);
  });

  it('signs in exactly one of two concurrent requests', async ({ service, ada }) => {
    const token = await linkSecret(service, ada);
    const both = await Promise.all([1, 2].map(() => browserOf(service).submit('/auth/link', { token, password })));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it('refuses a password that is too short, and keeps the link for another try', async ({ service, ada }) => {
    const token = await linkSecret(service, ada);
    const browser = browserOf(service);
    const response = await browser.submit('/auth/link', { token, password: 'eleven char' });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/role="alert">Use at least 12 characters\./);
    expect((await browser.submit('/auth/link', { token, password: '' })).status).toBe(303);
  });

  it('ends the other sessions and the old password of a user who chooses a new one', async ({ service }) => {
    const carol = await service.person();
    const before = await signedIn(service, carol, password);
    await signedIn(service, carol, 'quite another password');
    expect((await before.post('/graphql', { query: me })).status).toBe(401);
    const sign = (tried: string) =>
      browserOf(service).post('/auth/sign-in/email', { email: carol.email, password: tried });
    expect((await sign(password)).status).toBe(401);
    expect((await sign('quite another password')).status).toBe(200);
  });
});

it('POST /auth/change-password requires the current password, and can end the other sessions', async ({ service }) => {
  const dave = await service.person();
  const [here, there] = [await signedIn(service, dave, password), await signedIn(service, dave)];
  const change = { newPassword: 'quite another password', revokeOtherSessions: true };
  expect(await here.post('/auth/change-password', { ...change, currentPassword: 'wrong' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PASSWORD' },
  });
  expect((await here.post('/auth/change-password', { ...change, currentPassword: password })).status).toBe(200);
  expect(await here.graphql(me)).toEqual({ me: { sub: dave.id } });
  expect((await there.post('/graphql', { query: me })).status).toBe(401);
});
