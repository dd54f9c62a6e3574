/** One limit by itself: never more than it allows in a window on one node, bounded memory, and what nodes count together. */
import fc from 'fast-check';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressKey } from '../../src/platform/rates/caller-address.js';
import { Rate, type RateStore } from '../../src/platform/rates/rate.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const seconds = 60;

function createRate(limit: number, store: RateStore | null = null) {
  const onStoreFailure = vi.fn();
  const policy = { name: 'requests' as const, limit, seconds };
  return { rate: new Rate({ policy, store, onStoreFailure }), onStoreFailure };
}

function allowed(rate: Rate, key: string, count: number): number {
  return Array.from({ length: count }, () => rate.take(key)).filter(({ isAllowed }) => isAllowed).length;
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
  it('never lets more through in a window than the limit, for any arrival times', () => {
    const step = fc.record({ pauseMs: fc.nat(30_000), count: fc.nat(8), refund: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.array(step, { maxLength: 20 }), (limit, steps) => {
        const { rate } = createRate(limit);
        let window = { until: 0, passed: 0 };
        for (const { pauseMs, count, refund } of steps) {
          vi.advanceTimersByTime(pauseMs);
          for (let taken = 0; taken < count; taken += 1) {
            const { isAllowed, resetMs } = rate.take('key');
            if (Date.now() >= window.until) window = { until: Date.now() + resetMs, passed: 0 };
            if (isAllowed) window.passed += 1;
            expect(window.passed).toBeLessThanOrEqual(limit);
            if (isAllowed && refund) {
              rate.refund('key');
              window.passed -= 1;
            }
          }
        }
      }),
    );
  });

  it('keeps fifty thousand keys, however many addresses an attacker has: the oldest is forgotten', () => {
    const { rate } = createRate(1000);
    for (let number = 0; number < 52_000; number += 1) rate.take(`key ${number}`);
    expect([51_999, 2001, 2000].map((number) => rate.take(`key ${number}`).remaining)).toEqual([998, 998, 998]);
    expect([1999, 0].map((number) => rate.take(`key ${number}`).remaining)).toEqual([999, 999]);
  });
});

describe('on many nodes', () => {
  it('a limit that is added up stops all of them, and small counts cost no call', async () => {
    const store = sharedCount();
    const [one, two] = [createRate(100, store).rate, createRate(100, store).rate];
    allowed(one, 'small', 4);
    await one.synchronize();
    expect(store.calls).toBe(0);
    expect(allowed(one, 'key', 60)).toBe(60);
    expect(allowed(two, 'key', 50)).toBe(50);
    for (const rate of [one, two, one]) await rate.synchronize();
    expect(allowed(two, 'key', 50)).toBe(0);
    expect(store.calls).toBe(2);
    allowed(one, 'key', 1);
    await one.synchronize();
    expect(allowed(one, 'key', 50)).toBe(0);
  });

  it('what is refunded may be used on every node', async () => {
    const store = sharedCount();
    const [one, two] = [createRate(5, store).rate, createRate(5, store).rate];
    allowed(one, 'key', 5);
    await one.synchronize();
    one.refund('key');
    await one.synchronize();
    allowed(two, 'key', 1);
    await two.synchronize();
    expect([allowed(two, 'key', 1), allowed(one, 'key', 2)]).toEqual([0, 1]);
  });

  it('a window that ends while the store is asked is over: nobody is refused for ever', async () => {
    const ending: RateStore = { penalty: (_key, points) => Promise.resolve(new RateLimiterRes(0, 0, points)) };
    const { rate } = createRate(3, ending);
    expect(allowed(rate, 'key', 5)).toBe(3);
    await rate.synchronize();
    expect(allowed(rate, 'key', 5)).toBe(3);
  });

  it('a window lasts no longer here than its length, however far the clock of another node is ahead', async () => {
    const ahead: RateStore = { penalty: () => Promise.resolve(new RateLimiterRes(0, 3_600_000, 9)) };
    const { rate } = createRate(3, ahead);
    allowed(rate, 'key', 1);
    await rate.synchronize();
    expect(allowed(rate, 'key', 1)).toBe(0);
    vi.advanceTimersByTime(seconds * 1000);
    expect(allowed(rate, 'key', 1)).toBe(1);
  });

  it('a store that fails refuses nobody, and is told later what it has missed', async () => {
    const store = sharedCount();
    const penalty = vi.spyOn(store, 'penalty').mockRejectedValueOnce(new Error('away'));
    const { rate, onStoreFailure } = createRate(3, store);
    expect(allowed(rate, 'key', 2)).toBe(2);
    await rate.synchronize();
    expect([onStoreFailure.mock.calls.length, allowed(rate, 'key', 5)]).toEqual([1, 1]);
    await rate.synchronize();
    expect(penalty.mock.lastCall).toEqual(['key', 3]);
  });
});

it.each([
  ['2001:db8::1', '2001:0DB8:0:0:ffff::2', true],
  ['2001:db8:0:1::1', '2001:db8::1', false],
  ['::1', '0:0:0:0:1::', true],
  ['fe80::1%eth0', 'fe80::2', true],
  ['192.0.2.1', '192.0.2.2', false],
])('the key of an address %s and %s: the same is %s', (one, two, isSame) => {
  expect(addressKey(one) === addressKey(two)).toBe(isSame);
});
