/** One limit by itself: never more than it allows in a window on one node, bounded memory, and what nodes count together. */
import fc from 'fast-check';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressKey } from '../../src/platform/rates/address-key.js';
import { Rate, type RateStore } from '../../src/platform/rates/rate.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const seconds = 60;

function createRate(limit: number, store: RateStore | null = null, isExact = false) {
  const onStoreFailure = vi.fn();
  const policy = { name: 'requests' as const, limit, seconds };
  return { rate: new Rate({ policy, store, isExact, onStoreFailure }), onStoreFailure };
}

async function allowed(rate: Rate, key: string, count: number): Promise<number> {
  let sum = 0;
  for (let taken = 0; taken < count; taken += 1) sum += (await rate.take(key)).isAllowed ? 1 : 0;
  return sum;
}

/** What nodes share, as a store would keep it. */
function sharedCount(): RateStore & { calls: number } {
  const used = new Map<string, number>();
  return {
    calls: 0,
    async penalty(key, points) {
      this.calls += 1;
      const sum = (used.get(key) ?? 0) + points;
      used.set(key, sum);
      return new RateLimiterRes(0, seconds * 1000, sum, sum === points);
    },
  };
}

describe('on one node', () => {
  it('never lets more through in a window than the limit, for any arrival times', async () => {
    const step = fc.record({ pauseMs: fc.nat(30_000), count: fc.nat(8), giveBack: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.array(step, { maxLength: 20 }), async (limit, steps) => {
        const { rate } = createRate(limit);
        let window = { until: 0, passed: 0 };
        for (const { pauseMs, count, giveBack } of steps) {
          vi.advanceTimersByTime(pauseMs);
          for (let taken = 0; taken < count; taken += 1) {
            const { isAllowed, resetMs } = await rate.take('key');
            if (Date.now() >= window.until) window = { until: Date.now() + resetMs, passed: 0 };
            if (isAllowed) window.passed += 1;
            expect(window.passed).toBeLessThanOrEqual(limit);
            if (isAllowed && giveBack) {
              await rate.giveBack('key');
              window.passed -= 1;
            }
          }
        }
      }),
    );
  });

  it('keeps a bounded number of keys, however many addresses an attacker has', async () => {
    const policy = { name: 'requests' as const, limit: 1000, seconds };
    const rate = new Rate({ policy, store: null, isExact: false, onStoreFailure: vi.fn(), maximumKeys: 100 });
    for (let number = 0; number < 2000; number += 1) await rate.take(`key ${number}`);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(100 + 256);
    vi.advanceTimersByTime(seconds * 1000);
    expect((await rate.take('key 1999')).remaining).toBe(999);
  });
});

describe('on many nodes', () => {
  it('a limit that is added up stops all of them, and small counts cost no call', async () => {
    const store = sharedCount();
    const [one, two] = [createRate(100, store).rate, createRate(100, store).rate];
    await allowed(one, 'small', 4);
    await one.synchronize();
    expect(store.calls).toBe(0);
    expect(await allowed(one, 'key', 60)).toBe(60);
    expect(await allowed(two, 'key', 50)).toBe(50);
    for (const rate of [one, two, one]) await rate.synchronize();
    expect(await allowed(two, 'key', 50)).toBe(0);
    expect(store.calls).toBe(2);
    await allowed(one, 'key', 1);
    await one.synchronize();
    expect(await allowed(one, 'key', 50)).toBe(0);
  });

  it('a window that ends while the store is asked is over: nobody is refused for ever', async () => {
    const ending: RateStore = { penalty: (_key, points) => Promise.resolve(new RateLimiterRes(0, 0, points)) };
    const { rate } = createRate(3, ending);
    expect(await allowed(rate, 'key', 5)).toBe(3);
    await rate.synchronize();
    vi.advanceTimersByTime(10 * seconds * 1000);
    expect(await allowed(rate, 'key', 5)).toBe(3);
  });

  it('an exact limit lets no more through than on one node', async () => {
    const store = sharedCount();
    const [one, two] = [createRate(5, store, true).rate, createRate(5, store, true).rate];
    expect([await allowed(one, 'key', 3), await allowed(two, 'key', 3)]).toEqual([3, 2]);
  });

  it('a store that fails, or never answers, refuses nobody: each node counts for itself', async () => {
    vi.useRealTimers();
    const broken: RateStore = { penalty: () => Promise.reject(new Error('away')) };
    const silent: RateStore = { penalty: () => new Promise(() => undefined) };
    const { rate, onStoreFailure } = createRate(3, broken, true);
    expect(await allowed(rate, 'key', 5)).toBe(3);
    expect(onStoreFailure).toHaveBeenCalledTimes(5);
    expect(await allowed(createRate(1, silent, true).rate, 'key', 2)).toBe(1);
    const added = createRate(3, broken);
    expect(await allowed(added.rate, 'key', 2)).toBe(2);
    await added.rate.synchronize();
    expect([added.onStoreFailure.mock.calls.length, await allowed(added.rate, 'key', 5)]).toEqual([1, 1]);
  });
});

describe('a store that responds too late', () => {
  it('is told of each request once, because it counts late', async () => {
    vi.useRealTimers();
    let counted = 0;
    const late: RateStore = {
      penalty: (_key, points) => {
        counted += points;
        return new Promise(() => undefined);
      },
    };
    expect(await allowed(createRate(10, late, true).rate, 'key', 3)).toBe(3);
    expect(counted).toBe(3);
  });
});

describe('the key of an address', () => {
  it.each([
    ['2001:db8::1', '2001:0DB8:0:0:ffff::2', true],
    ['2001:db8:0:1::1', '2001:db8::1', false],
    ['::1', '0:0:0:0:1::', true],
    ['fe80::1%eth0', 'fe80::2', true],
    ['192.0.2.1', '192.0.2.2', false],
  ])('%s and %s: the same is %s', (one, two, isSame) => {
    expect(addressKey(one) === addressKey(two)).toBe(isSame);
  });
});
