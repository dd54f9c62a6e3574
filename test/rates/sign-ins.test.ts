/** How often somebody may try to sign in, and how every answer of `/auth` where a limit counts says so. */
import { describe, expect } from 'vitest';
import { Browser, browserOf } from '../auth/browser.js';
import { linkSecret, password, signedIn } from '../auth/people.js';
import { serviceTest } from '../support/fixtures/service.js';

const environment = { SIGN_INS_PER_ADDRESS: '6', REQUESTS_PER_TOKEN: '20', REQUESTS_PER_ADDRESS: '4' };
const signInLimits = {
  ofAccount: { window: 900, max: 3 },
  ofStrangers: { window: 900, max: 100 },
  beyond: { window: 30, max: 1 },
};

const it = serviceTest({ settings: { concurrency: 0, signInLimits }, environment });

const quota = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
const tooMany = (policy: string) => ({
  status: 429,
  body: { type: quota, status: 429, code: 'rate_limited', 'violated-policies': [policy] },
});

let accounts = 0;

/** Tries to sign in to an account that nobody has tried before. */
function tryAnew(browser: Browser) {
  accounts += 1;
  return browser.post('/auth/sign-in/email', { email: `nobody-${accounts}@acme.test`, password });
}

/** Tries until the address may try no more, with one password: each takes a core a tenth of a second. */
async function exhaust(browser: Browser): Promise<void> {
  expect((await tryAnew(browser)).status).toBe(401);
  for (let tried = 1; tried < 6; tried += 1) {
    expect((await browser.post('/auth/sign-in/link', { token: 'nonsense' })).status).toBe(410);
  }
}

describe('the limit of attempts from one address', () => {
  it('is in the headers of every attempt, and counts down', async ({ service }) => {
    const browser = browserOf(service);
    const first = await tryAnew(browser);
    expect(first.headers.get('ratelimit-policy')).toBe('"sign-ins";q=6;w=60, "account-sign-ins";q=3;w=900');
    expect(first.headers.get('ratelimit')).toMatch(/^"sign-ins";r=5;t=([1-5]?\d|60), "account-sign-ins";r=2;t=\d+$/);
    const second = await browser.post('/auth/sign-in/link', { token: 'nonsense' });
    expect([second.status, second.headers.get('ratelimit')]).toEqual([
      410,
      expect.stringMatching(/^"sign-ins";r=4;t=/),
    ]);
  });

  it('is shared by passwords and links, and answers with a problem that names it', async ({ service }) => {
    const browser = browserOf(service);
    await exhaust(browser);
    for (const [path, body] of [
      ['/auth/sign-in/email', { email: 'nobody@acme.test', password }],
      ['/auth/sign-in/link', { token: 'nonsense' }],
      ['/auth/change-password', { currentPassword: password, newPassword: password }],
    ] as const) {
      const refused = await browser.post(path, body);
      expect(refused, path).toMatchObject(tooMany('sign-ins'));
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
      expect(refused.headers.get('ratelimit')).toMatch(/^"sign-ins";r=0;t=\d+$/);
      const seconds = /;t=(\d+)/.exec(refused.headers.get('ratelimit') ?? '')?.[1];
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(seconds));
    }
    expect((await tryAnew(browserOf(service))).status).toBe(401);
  });

  it('leaves a link valid, and tells on its page what to do', async ({ service }) => {
    const ada = await service.person();
    const token = await linkSecret(service, ada);
    const browser = browserOf(service);
    await exhaust(browser);
    const page = await browser.submit('/auth/link', { token, password });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(page.headers.get('ratelimit')).toMatch(/^"sign-ins";r=0;/);
    expect(await page.text()).toContain('Too many attempts');
    expect((await browserOf(service).post('/auth/sign-in/link', { token })).status).toBe(200);
  });

  it('applies to a whole /64 network with IPv6', async ({ service }) => {
    const browser = browserOf(service);
    const from = (host: string) =>
      browser.post('/auth/sign-in/link', { token: 'nonsense' }, { 'x-forwarded-for': `2001:db8:7:7::${host}` });
    for (let host = 1; host <= 6; host += 1) expect((await from(String(host))).status).toBe(410);
    expect((await from('ffff')).status).toBe(429);
  });
});

it('the limit of attempts on one account answers with a problem that names it', async ({ service }) => {
  const ada = await service.person();
  await signedIn(service, ada, password);
  const [here, home] = [browserOf(service), browserOf(service)];
  const begunMs = performance.now();
  const guess = () => here.post('/auth/sign-in/email', { email: ada.email, password: 'wrong' });
  for (const left of [2, 1, 0]) {
    const { status, headers } = await guess();
    expect([status, headers.get('ratelimit')]).toEqual([401, expect.stringContaining(`"account-sign-ins";r=${left};`)]);
  }
  const refused = await guess();
  expect(refused).toMatchObject(tooMany('account-sign-ins'));
  const passed = (performance.now() - begunMs) / 1000;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(signInLimits.ofAccount.window - passed);
  expect((await home.post('/auth/sign-in/email', { email: ada.email, password })).status).toBe(200);
});

describe('a request that signs nobody in', () => {
  it('counts towards the session if there is one', async ({ service }) => {
    const browser = await signedIn(service, await service.person());
    const { status, headers } = await browser.get('/auth/get-session');
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"requests";q=20;w=60']);
    expect(headers.get('ratelimit')).toMatch(/^"requests";r=19;/);
    expect((await browser.post('/auth/sign-out')).headers.get('ratelimit')).toMatch(/^"requests";r=18;/);
  });

  it('counts towards the address otherwise, even with a forged or ended session', async ({ service }) => {
    const browser = await signedIn(service, await service.person());
    const { cookies } = browser;
    await browser.post('/auth/sign-out');
    const asked = [cookies, cookies.replace(/=./, '=%21'), '', ''].map((cookie) => ({ cookie }));
    for (const headers of asked) {
      const answer = await browser.fetch('/auth/get-session', { headers });
      expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, '"unauthenticated";q=4;w=60']);
    }
    expect(await browser.get('/auth/get-session')).toMatchObject(tooMany('unauthenticated'));
    const page = await browser.fetch('/auth/link?token=x');
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    // What costs nothing is never refused.
    expect((await browser.get('/auth/methods')).status).toBe(200);
  });
});

it('attempts are counted across all nodes', async ({ service }) => {
  const other = await service.addNode();
  const here = browserOf(service);
  const same = { 'x-forwarded-for': '203.0.113.77' };
  const there = new Browser(other.url);
  const tryOn = (browser: Browser) => browser.post('/auth/sign-in/link', { token: 'nonsense' }, same);
  for (let tried = 0; tried < 6; tried += 1) expect((await tryOn(here)).status).toBe(410);
  expect((await tryOn(here)).status).toBe(429);
  // The other node learns of them with the next count that it sends.
  await expect.poll(async () => (await tryOn(there)).status).toBe(429);
});
