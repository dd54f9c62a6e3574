/**
 * A rate limit per key with fixed windows of a minute. Each node counts in memory, so that a request costs no
 * statement. If nodes share a store, counts are added to it every half second once a key has used a twentieth of its
 * limit; in between, a cluster may let through more than the limit. An exact limit asks the store for each request once
 * a key has used a twentieth on this node. If the store is down, each node counts by itself, and no request fails.
 */
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { withinMs } from '../async/time-limit.js';
import type { Quota, RatePolicy } from './quota.js';

/**
 * The shared store: adds points to a key and returns the total of all nodes. Every limiter of the library implements
 * it.
 */
export interface RateStore {
  penalty(key: string, points: number): Promise<RateLimiterRes>;
}

export interface RateOptions {
  policy: RatePolicy;
  /** Null on a single node. */
  store: RateStore | null;
  /** Whether the store is asked before the response, once a key has used a twentieth of the limit. */
  isExact: boolean;
  onStoreFailure: (error: unknown) => void;
  /** Beyond this number, further keys share counters: an attacker has more addresses than a process has memory. */
  maximumKeys?: number;
}

interface Window {
  untilMs: number;
  /** Requests that this node let through. */
  taken: number;
  /** Of those, how many the store does not know about. */
  unsent: number;
}

const defaultMaximumKeys = 50_000;
const sharedKeys = 256;
/** Timeout of the store for an exact limit. */
const storeMs = 250;
/** Keys that are sent concurrently. */
const sentAtOnce = 4;
const smallShare = 1 / 20;

export class Rate {
  readonly #options: RateOptions;
  readonly #local: RateLimiterMemory;
  /** Windows by key, the oldest first. */
  readonly #windows = new Map<string, Window>();
  readonly #maximumKeys: number;

  constructor(options: RateOptions) {
    this.#options = options;
    const { name, limit, seconds } = options.policy;
    this.#maximumKeys = options.maximumKeys ?? defaultMaximumKeys;
    this.#local = new RateLimiterMemory({ keyPrefix: name, points: limit, duration: seconds });
  }

  /** Counts one request and returns the quota. */
  async take(wanted: string): Promise<Quota> {
    const key = this.#boundedKey(wanted);
    const local = await this.#local.penalty(key, 1);
    const window = this.#windowOf(key, local);
    const { policy, isExact, store } = this.#options;
    const asked = isExact && isBusy(window.taken + 1, policy) ? store : null;
    const used = (asked && (await this.#askWith(asked, key, window))) ?? local;
    const isAllowed = used.consumedPoints <= policy.limit;
    if (isAllowed) {
      window.taken += 1;
      if (!asked) window.unsent += 1;
    }
    return { policy, isAllowed, remaining: used.remainingPoints, resetMs: Math.max(0, used.msBeforeNext) };
  }

  /** Uncounts a request that had no effect. */
  async giveBack(wanted: string): Promise<void> {
    const key = this.#boundedKey(wanted);
    const window = this.#windows.get(key);
    if (!window || window.untilMs <= Date.now()) return;
    window.taken -= 1;
    await this.#local.reward(key, 1);
    const { isExact, store } = this.#options;
    if (window.unsent === 0 && isExact && store) await this.#ask(store, key, -1);
    else window.unsent -= 1;
  }

  /** Sends new counts to the store, and learns the counts of other nodes. */
  async synchronize(): Promise<void> {
    const { store, isExact, policy } = this.#options;
    if (!store || isExact) return;
    this.#forgetOld();
    const busy = [...this.#windows].filter(([, window]) => window.unsent > 0 && isBusy(window.taken, policy));
    const limit = pLimit(sentAtOnce);
    await Promise.all(busy.map((entry) => limit(() => this.#send(store, ...entry))));
  }

  async #send(store: RateStore, key: string, window: Window): Promise<void> {
    const points = window.unsent;
    window.unsent = 0;
    try {
      const { consumedPoints, msBeforeNext } = await store.penalty(key, points);
      // The window ended meanwhile. To the library, a remaining time of 0 means forever.
      if (msBeforeNext <= 0) {
        this.#windows.delete(key);
        await this.#local.delete(key);
        return;
      }
      window.untilMs = Date.now() + msBeforeNext;
      // Adds what was counted meanwhile.
      await this.#local.set(key, consumedPoints + window.unsent, msBeforeNext / 1000);
    } catch (error) {
      window.unsent += points;
      this.#options.onStoreFailure(error);
    }
  }

  /**
   * Counts one request in the store, along with those it does not know about. Null if the store does not respond in
   * time. It may still count them late, so they are sent again only after an error.
   */
  async #askWith(store: RateStore, key: string, window: Window): Promise<RateLimiterRes | null> {
    const points = window.unsent + 1;
    window.unsent = 0;
    return this.#ask(store, key, points, () => {
      window.unsent += points;
    });
  }

  /** Null if the store does not respond in time. `onError` is called when the store counted nothing. */
  async #ask(store: RateStore, key: string, points: number, onError?: () => void): Promise<RateLimiterRes | null> {
    const answer = store.penalty(key, points).catch((error: unknown) => {
      onError?.();
      this.#options.onStoreFailure(error);
      return null;
    });
    return (await withinMs(storeMs, answer)) ?? null;
  }

  #windowOf(key: string, { msBeforeNext }: RateLimiterRes): Window {
    const now = Date.now();
    const open = this.#windows.get(key);
    if (open && open.untilMs > now) return open;
    const window = { untilMs: now + msBeforeNext, taken: 0, unsent: 0 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    return window;
  }

  #boundedKey(wanted: string): string {
    if (this.#windows.has(wanted) || this.#windows.size < this.#maximumKeys) return wanted;
    this.#forgetOld();
    if (this.#windows.size < this.#maximumKeys) return wanted;
    const [byte = 0] = createHash('sha256').update(wanted).digest();
    return `shared ${byte % sharedKeys}`;
  }

  #forgetOld(): void {
    const now = Date.now();
    for (const [key, { untilMs }] of this.#windows) {
      if (untilMs > now) return;
      this.#windows.delete(key);
    }
  }
}

/** Whether a key is used enough that other nodes must know. */
function isBusy(taken: number, { limit }: RatePolicy): boolean {
  return taken >= limit * smallShare;
}
