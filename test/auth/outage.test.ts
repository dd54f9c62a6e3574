/** Without its database nobody can sign in, and everybody is told to try again: nobody is told that they are signed out. */
import { expect } from 'vitest';
import { cutOff } from '../support/database/cut-off.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { Browser } from './browser.js';
import { password, signedIn } from './people.js';

const it = serviceTest().extend('browser', { scope: 'file', auto: true }, async ({ service }, { onCleanup }) => {
  const browser = await signedIn(service, await service.person());
  onCleanup(await cutOff(service.storage.url));
  return browser;
});

it.for<[string, (browser: Browser) => Promise<Response>]>([
  ['POST /auth/sign-in/email', (browser) => post(browser, '/auth/sign-in/email', { email: 'a@acme.test', password })],
  ['POST /auth/sign-in/link', (browser) => post(browser, '/auth/sign-in/link', { token: 'x' })],
  ['POST /auth/sign-out', (browser) => post(browser, '/auth/sign-out', {})],
  ['GET /auth/get-session', (browser) => browser.fetch('/auth/get-session')],
  ['GET /auth/link', (browser) => browser.fetch('/auth/link?token=x')],
  ['POST /auth/link', (browser) => browser.submit('/auth/link', { token: 'x' })],
  ['POST /graphql', (browser) => post(browser, '/graphql', { query: '{ me { sub } }' })],
])('while the database is away %s is 503 with when to try again', async ([_endpoint, ask], { browser }) => {
  const response = await ask(browser);
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 503 });
  expect(response.headers.get('retry-after')).toBe('1');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(text).not.toMatch(/ {4}at |prisma|postgres/i);
});

function post(browser: Browser, path: string, body: object): Promise<Response> {
  return browser.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
