/**
 * A rate limit per key with fixed windows. Each node counts in memory, so that a request costs no statement. If nodes
 * share a store, counts are added to it at intervals once a key has used a twentieth of its limit; in between, a cluster
 * may let through more than the limit. If the store is down, each node counts by itself, and no request fails.
 */
import pLimit from 'p-limit';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { Quota, RatePolicy } from './quota.js';

export type RateWindow = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/**
 * The shared store: adds points to a key and returns the total of all nodes. Every limiter of the library implements
 * it.
 */
export interface RateStore {
  penalty(key: string, points: number): Promise<RateWindow>;
}

export interface RateOptions {
  policy: RatePolicy;
  /** Null on a single node. */
  store: RateStore | null;
  onStoreFailure: (error: unknown) => void;
}

interface Window {
  untilMs: number;
  /** Requests that were let through, with those that the store knows of from other nodes. */
  used: number;
  /** Of those, how many the store does not know about. */
  unsent: number;
}

/** Beyond this number the oldest window is forgotten: an attacker has more addresses than a process has memory. */
const maximumKeys = 50_000;
/** Keys that are sent concurrently. */
const sentAtOnce = 4;
const smallShare = 1 / 20;

export class Rate {
  readonly #options: RateOptions;
  /** Windows by key, the oldest first. */
  readonly #windows = new Map<string, Window>();

  constructor(options: RateOptions) {
    this.#options = options;
  }

  /** Counts one request and returns the quota. */
  take(key: string): Quota {
    const { policy } = this.#options;
    const window = this.#windowOf(key);
    const isAllowed = window.used < policy.limit;
    if (isAllowed) add(window, 1);
    const [remaining, resetMs] = [policy.limit - window.used, window.untilMs - performance.now()];
    return { policy, isAllowed, remaining: Math.max(0, remaining), resetMs: Math.max(0, resetMs) };
  }

  /** Uncounts a request that had no effect. */
  refund(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.used > 0) add(window, -1);
  }

  /** Forgets old windows, sends new counts to the store, and learns the counts of other nodes. */
  async synchronize(): Promise<void> {
    for (const [key, { untilMs }] of this.#windows) {
      if (untilMs > performance.now()) break;
      this.#windows.delete(key);
    }
    const { store, policy } = this.#options;
    if (!store) return;
    const isBusy = ({ used, unsent }: Window) => unsent !== 0 && used >= policy.limit * smallShare;
    const atOnce = pLimit(sentAtOnce);
    const busy = [...this.#windows].filter(([, window]) => isBusy(window));
    await Promise.all(busy.map(([key, window]) => atOnce(() => this.#send(store, key, window))));
  }

  async #send(store: RateStore, key: string, window: Window): Promise<void> {
    const points = window.unsent;
    window.unsent = 0;
    try {
      const { consumedPoints, msBeforeNext } = await store.penalty(key, points);
      // Adds what was counted meanwhile. The clock of the node that began the window may be ahead.
      window.used = consumedPoints + window.unsent;
      window.untilMs = performance.now() + Math.min(msBeforeNext, this.#options.policy.seconds * 1000);
    } catch (error) {
      window.unsent += points;
      this.#options.onStoreFailure(error);
    }
  }

  #windowOf(key: string): Window {
    const nowMs = performance.now();
    const open = this.#windows.get(key);
    if (open && open.untilMs > nowMs) return open;
    this.#windows.delete(key);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= maximumKeys && oldest !== undefined) this.#windows.delete(oldest);
    const window = { untilMs: nowMs + this.#options.policy.seconds * 1000, used: 0, unsent: 0 };
    this.#windows.set(key, window);
    return window;
  }
}

function add(window: Window, count: 1 | -1): void {
  window.used += count;
  window.unsent += count;
}
