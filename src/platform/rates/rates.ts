/**
 * The rate limits of a process: requests by token, requests without a valid token by address, and messages by user and
 * organization. A caller with a valid token is never limited by address, because many share one. Sign-in attempts are
 * always counted by address.
 */
import type { Logger } from 'pino';
import { IntervalLoop } from '../async/interval-loop.js';
import { RepeatedFailure } from '../async/repeated-failure.js';
import { addressKey } from './caller-address.js';
import type { PolicyName, RatePolicy } from './quota.js';
import { Rate, type RateStore } from './rate.js';
import { RateLimitedError } from './rate-limited-error.js';
import type { RequestSource } from './request-source.js';

type CountedName = Exclude<PolicyName, 'account-sign-ins'>;

/** Limits per minute; null: unlimited. */
export type CallLimits = Record<CountedName, number | null>;

export interface RatesOptions {
  limits: CallLimits;
  /** Creates the shared store for a policy; null on a single node. */
  createStore: (policy: RatePolicy) => RateStore | null;
  logger: Logger;
}

const seconds = 60;
const synchronizeMs = 500;

export class Rates {
  readonly #rates = new Map<CountedName, Rate>();
  readonly #loop: IntervalLoop;
  readonly #logger: Logger;
  readonly #repeated = new RepeatedFailure();
  #failures = 0;

  constructor({ limits, createStore, logger }: RatesOptions) {
    this.#logger = logger;
    for (const [name, limit] of Object.entries(limits) as [CountedName, number | null][]) {
      if (limit === null) continue;
      const policy = { name, limit, seconds };
      this.#rates.set(name, new Rate({ policy, store: createStore(policy), onStoreFailure: this.#noteFailure }));
    }
    this.#loop = new IntervalLoop(synchronizeMs, () => this.#synchronize());
    this.#loop.start();
  }

  /** How often the store has failed. */
  get storeFailures(): number {
    return this.#failures;
  }

  /** Counts one for the key. Throws a `RateLimitedError` beyond the limit. */
  count(name: CountedName, key: string, source: RequestSource): void {
    const quota = this.#rates.get(name)?.take(key);
    if (!quota) return;
    source.add(quota);
    if (!quota.isAllowed) throw new RateLimitedError(quota);
  }

  /** Counts one for the address of the request. Throws a `RateLimitedError` beyond the limit. */
  countAddress(name: 'unauthenticated' | 'sign-ins', source: RequestSource): void {
    this.count(name, addressKey(source.address), source);
  }

  /**
   * Counts a message and sends it; a message that is not sent does not count. Throws a `RateLimitedError` beyond a
   * limit.
   */
  async countMessage<T>(
    { userId, organizationId }: { userId: string; organizationId: number },
    source: RequestSource,
    send: () => Promise<T>,
  ): Promise<T> {
    const refunds: (() => void)[] = [];
    const count = (name: CountedName, key: string) => {
      this.count(name, key, source);
      refunds.push(() => this.#rates.get(name)?.refund(key));
    };
    try {
      count('messages', userId);
      count('organization-messages', String(organizationId));
      return await send();
    } catch (error) {
      for (const refund of refunds) refund();
      throw error;
    }
  }

  close(): void {
    void this.#loop.stop();
  }

  /** Synchronizes with the other nodes. Never rejects. */
  async #synchronize(): Promise<void> {
    await Promise.all([...this.#rates.values()].map((rate) => rate.synchronize()));
  }

  readonly #noteFailure = (error: unknown): void => {
    this.#failures += 1;
    this.#repeated.report(error, (fields) =>
      this.#logger.warn(fields, 'the shared rate limits cannot be reached; each node counts requests by itself'),
    );
  };
}
