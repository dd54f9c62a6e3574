/** Who calls is found out in turns: first by address, then by what is presented from there. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { UnavailableError } from '../../src/errors.js';
import { FairSemaphore } from '../../src/platform/fairness/fair-semaphore.js';
import { RequestSource } from '../../src/platform/rates/request-source.js';
import { principalOf } from '../../src/platform/server/caller.js';
import { defaultProcessSettings } from '../../src/process/settings.js';
import { sharesOf } from '../../src/process/shares.js';

/** Looks all of them up, one at a time, and returns the tokens in the order of the lookups. */
async function lookUp(calls: readonly (readonly [token: string, address: string])[]): Promise<string[]> {
  const lookups = new FairSemaphore({ total: 1, perOrganization: 1, perUser: 1, waitingPerUser: 100 });
  const found: string[] = [];
  const release = await lookups.acquire({ organizationId: 'elsewhere', userId: '' });
  const all = calls.map(([token, address]) =>
    lookups.run(
      principalOf({
        authorization: `Bearer ${token}`,
        source: new RequestSource(address),
        signal: new AbortController().signal,
      }),
      async () => found.push(token),
    ),
  );
  release();
  await Promise.all(all);
  return found;
}

const times = <Value>(count: number, value: (n: number) => Value) => Array.from({ length: count }, (_, n) => value(n));

describe('the lookup of a caller', () => {
  it('is not behind a hundred guesses from another address', async () => {
    const guesses = times(100, (n) => [`guess-${n}`, '198.51.100.7'] as const);
    const found = await lookUp([...guesses, ['ada', '203.0.113.1']]);
    expect(found.indexOf('ada')).toBeLessThanOrEqual(1);
  });

  it('is not behind a hundred of somebody else at the same address', async () => {
    const others = times(100, () => ['eve', '203.0.113.1'] as const);
    const found = await lookUp([...others, ['ada', '203.0.113.1']]);
    expect(found.indexOf('ada')).toBeLessThanOrEqual(1);
  });

  it('shares the turns of its network, however many addresses that has', async () => {
    const guesses = times(100, (n) => ['guess', `2001:db8:0:1::${n}`] as const);
    const found = await lookUp([...guesses, ['ada', '2001:db8:0:2::1'], ['bob', '2001:db8:0:1::ffff']]);
    expect(found.indexOf('ada')).toBeLessThanOrEqual(1);
    expect(found.indexOf('bob')).toBeLessThanOrEqual(3);
  });

  it('is refused where its turn does not come, because the database answers nobody', async () => {
    const { lookups } = sharesOf(readConfig({}), { ...defaultProcessSettings, lookupWaitMs: 1 });
    const ada = { organizationId: 'here', userId: 'ada' };
    await Promise.all([lookups.acquire(ada), lookups.acquire(ada)]);
    await expect(lookups.acquire(ada)).rejects.toThrow(UnavailableError);
    expect(defaultProcessSettings.lookupWaitMs).toBe(5_000);
  });
});
