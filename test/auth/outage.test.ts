/** Without its database nobody can sign in, and everybody is told to try again: nobody is told that they are signed out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl, runSql } from '../support/server.js';
import { startTestService, type TestService } from '../support/service.js';
import type { Browser } from './browser.js';
import { password, signedIn } from './people.js';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  browser = await signedIn(service, await service.person());
  await connections(false);
});
afterAll(async () => {
  await connections(true);
  await service.stop();
});

/** Whether anybody may connect; whoever is connected is cut off. */
async function connections(allowed: boolean): Promise<void> {
  const { url } = service.storage;
  const name = new URL(url).pathname.slice(1);
  await runSql(
    databaseUrl(url, 'postgres'),
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

describe('while the database is away', () => {
  it.each<[string, () => Promise<Response>]>([
    ['POST /auth/sign-in/email', () => post('/auth/sign-in/email', { email: 'a@acme.test', password })],
    ['POST /auth/sign-in/link', () => post('/auth/sign-in/link', { token: 'x' })],
    ['POST /auth/sign-out', () => post('/auth/sign-out', {})],
    ['GET /auth/get-session', () => browser.fetch('/auth/get-session')],
    ['GET /auth/link', () => browser.fetch('/auth/link?token=x')],
    ['POST /auth/link', () => browser.submit('/auth/link', { token: 'x' })],
    ['POST /graphql', () => post('/graphql', { query: '{ me { sub } }' })],
  ])('%s is 503 with when to try again', async (_endpoint, ask) => {
    const response = await ask();
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 503 });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(text).not.toMatch(/ {4}at |prisma|postgres/i);
  });
});

function post(path: string, body: object): Promise<Response> {
  return browser.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
