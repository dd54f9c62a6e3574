/**
 * Guessing is slow: the attempts on one account are counted on all nodes together. What may come from one address is in
 * `test/rates/sign-ins.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerAddress, networkOf } from '../../src/platform/rates/caller-address.js';
import type { RunningService } from '../../src/serve.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { type Answer, Browser, browserOf } from './browser.js';
import { password, signedIn } from './people.js';

/** Small, because each attempt that is not refused costs a tenth of a second of a processor. */
const limits = {
  ofAccount: { window: 900, max: 3 },
  ofStrangers: { window: 900, max: 4 },
  beyond: { window: 30, max: 1 },
};

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

const rightly = (browser: Browser, { email }: Person) => browser.post('/auth/sign-in/email', { email, password });

describe('attempts on one account', () => {
  it('from one place are refused beyond the limit, on every node, even with the right password', async () => {
    const bob = await service.person();
    await signedIn(service, bob, password);
    const begunMs = performance.now();
    const [here, there] = [browserOf(service), new Browser(otherNode.url)];
    const same = { 'x-forwarded-for': '203.0.113.9' };
    const guessFrom = async (browser: Browser, email: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, () => browser.post('/auth/sign-in/email', { email, password: 'x' }, same)),
      );
    expect(statuses(await guessFrom(here, bob.email, 2))).toEqual([401, 401]);
    expect(statuses(await guessFrom(there, bob.email.toUpperCase(), 2)).sort()).toEqual([401, 429]);
    const refused = await here.post('/auth/sign-in/email', { email: bob.email, password }, same);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', 'violated-policies': ['account-sign-ins'] },
    });
    const passed = (performance.now() - begunMs) / 1000;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(limits.ofAccount.window - passed);
    expect((await rightly(browserOf(service), ada)).status).toBe(200);
    // As if the clock had been a day ahead when the window began.
    await service.database.$executeRaw`UPDATE sign_in_attempts SET window_end = window_end + interval '1 day'`;
    const later = await here.post('/auth/sign-in/email', { email: bob.email, password }, same);
    expect(Number(later.headers.get('retry-after'))).toBeLessThanOrEqual(limits.ofAccount.window);
  });

  it('from many places are slowed down, except from where the owner has signed in before', async () => {
    const carol = await service.person();
    const home = await signedIn(service, carol, password);
    const answers = await Promise.all(Array.from({ length: 7 }, () => guess(browserOf(service), carol.email, 1)));
    // One more than the limit has a turn of those that wait.
    expect(statuses(answers.flat()).filter((status) => status === 401)).toHaveLength(limits.ofStrangers.max + 1);
    const abroad = await rightly(browserOf(service), carol);
    expect(abroad.status).toBe(429);
    expect(Number(abroad.headers.get('retry-after'))).toBeLessThanOrEqual(limits.beyond.window);
    expect((await rightly(home, carol)).status).toBe(200);
  });

  it('are counted from zero after the right password', async () => {
    const dora = await service.person();
    const home = await signedIn(service, dora, password);
    for (let round = 0; round < 2; round += 1) {
      expect(statuses(await guess(home, dora.email, 2))).toEqual([401, 401]);
      expect((await rightly(home, dora)).status).toBe(200);
    }
  });

  it('are accepted again when the window is over', async () => {
    const dave = await service.person();
    const home = await signedIn(service, dave, password);
    await guess(home, dave.email, 4);
    expect((await rightly(home, dave)).status).toBe(429);
    await service.database.$executeRaw`UPDATE sign_in_attempts SET window_end = clock_timestamp()`;
    expect((await rightly(home, dave)).status).toBe(200);
  });
});

it.each([
  ['that of the connection', '203.0.113.7', '', '203.0.113.7'],
  ['not what a caller on the internet says', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['what a proxy on this machine says', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['the last that a proxy in the network says', '::ffff:10.0.0.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['one of version 6', '::1', '2001:db8::1', '2001:db8::1'],
  ['the proxy’s, where it says nonsense', '10.0.0.3', 'unknown', '10.0.0.3'],
])('the address of a caller is %s', (_what, peer, forwardedFor, address) => {
  expect(callerAddress(peer, forwardedFor)).toBe(address);
});

it.each([
  ['an address of version 4', '203.0.113.7', '203.0.113.7'],
  ['the same, mapped', '::ffff:203.0.113.7', '203.0.113.7'],
  ['a network of 64 bits', '2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['the same by another address', '2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['one with zeros', '2001:db8::1', '2001:db8:0:0::/64'],
  ['this machine', '::1', '0:0:0:0::/64'],
  ['an address of an interface', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
])('a place is %s', (_what, address, place) => {
  expect(networkOf(address)).toBe(place);
});
