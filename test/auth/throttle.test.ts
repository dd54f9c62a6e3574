/** Guessing is slow: the attempts on one account, and those from one address, are counted on all nodes together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerAddress } from '../../src/auth/caller-address.js';
import type { RunningService } from '../../src/serve.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { type Answer, Browser, browserOf } from './browser.js';
import { password, signedIn } from './people.js';

const limits = { ofAccount: { window: 900, max: 5 }, ofAddress: { window: 60, max: 8 } };

let service: TestService;
let otherNode: RunningService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ settings: { signInLimits: limits } });
  otherNode = await service.addNode();
  ada = await service.person();
  await signedIn(service, ada, password);
});
afterAll(() => service.stop());

async function guess(browser: Browser, email: string, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < times; i += 1)
    answers.push(await browser.post('/auth/sign-in/email', { email, password: 'wrong' }));
  return answers;
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

describe('attempts on one account', () => {
  it('are refused beyond the limit, from wherever they come, and with the right password too', async () => {
    const bob = await service.person();
    await signedIn(service, bob, password);
    expect(statuses(await guess(browserOf(service), bob.email, 3))).toEqual([401, 401, 401]);
    expect(statuses(await guess(new Browser(otherNode.url), bob.email.toUpperCase(), 3))).toEqual([401, 401, 429]);
    const { status, headers, body } = await browserOf(service).post('/auth/sign-in/email', {
      email: bob.email,
      password,
    });
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await browserOf(service).post('/auth/sign-in/email', { email: ada.email, password })).status).toBe(200);
  });

  it('are counted all, when they come at the same moment', async () => {
    const carol = await service.person();
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess(browserOf(service), carol.email, 1)));
    expect(statuses(answers.flat()).filter((status) => status === 401)).toHaveLength(limits.ofAccount.max);
  });

  it('may be made again when the window is over', async () => {
    const dave = await service.person();
    await signedIn(service, dave, password);
    await guess(browserOf(service), dave.email, 6);
    await service.service.database.$executeRaw`UPDATE sign_in_attempts SET window_end = clock_timestamp()`;
    expect((await browserOf(service).post('/auth/sign-in/email', { email: dave.email, password })).status).toBe(200);
  });
});

describe('attempts from one address', () => {
  it('are refused beyond the limit, whichever account they are on, and links too', async () => {
    const browser = browserOf(service);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => guess(browser, `user-${i}@acme.test`, 1)));
    expect(statuses(answers.flat()).filter((status) => status === 429)).toHaveLength(2);
    const links = browserOf(service);
    const tried = await Promise.all(
      Array.from({ length: 10 }, () => links.post('/auth/sign-in/link', { token: 'nonsense' })),
    );
    expect(statuses(tried).sort()).toEqual([...Array<number>(8).fill(410), 429, 429]);
    expect(tried.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^[0-9]+$/);
  });

  it('do not keep anybody from asking who is signed in', async () => {
    const browser = browserOf(service);
    for (let i = 0; i < 30; i += 1) expect((await browser.get('/auth/get-session')).status).toBe(200);
  });
});

describe('the address of a caller', () => {
  it.each([
    ['that of the connection', '203.0.113.7', '', '203.0.113.7'],
    ['not what a caller on the internet says', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['what a proxy on this machine says', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last that a proxy in the network says', '::ffff:10.0.0.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['one of version 6', '::1', '2001:db8::1', '2001:db8::1'],
    ['the proxy’s, where it says nonsense', '10.0.0.3', 'unknown', '10.0.0.3'],
  ])('is %s', (_what, peer, forwardedFor, address) => {
    expect(callerAddress(peer, forwardedFor)).toBe(address);
  });
});
