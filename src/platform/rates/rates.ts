/**
 * The rate limits of a process: requests by token, requests without a valid token by address, and messages by user and
 * organization. A caller with a valid token is never limited by address, because many share one. Sign-in attempts are
 * always counted by address.
 */
import type { Logger } from 'pino';
import { addressKey } from './address-key.js';
import type { PolicyName, RatePolicy } from './quota.js';
import { Rate, type RateStore } from './rate.js';
import { RateLimitedError } from './rate-limited-error.js';
import type { RequestSource } from './request-source.js';

/** Limits per minute; null: unlimited. */
export interface CallLimits {
  requestsPerToken: number | null;
  requestsPerAddress: number | null;
  messagesPerUser: number | null;
  messagesPerOrganization: number | null;
  signInsPerAddress: number | null;
}

export interface RatesOptions {
  limits: CallLimits;
  /** Creates the shared store for a policy; null on a single node. */
  createStore: (policy: RatePolicy) => RateStore | null;
  logger: Logger;
}

const windowSeconds = 60;
const synchronizeMs = 500;
/** A failing store is logged once in this time. */
const logIntervalMs = 60_000;

export class Rates {
  readonly #requests: Rate | null;
  readonly #unauthenticated: Rate | null;
  readonly #messages: Rate | null;
  readonly #organizationMessages: Rate | null;
  readonly #signIns: Rate | null;
  readonly #timer: NodeJS.Timeout;
  readonly #logger: Logger;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #isBusy = false;

  constructor({ limits, createStore, logger }: RatesOptions) {
    this.#logger = logger;
    const rate = (name: PolicyName, limit: number | null, isExact: boolean) => {
      if (limit === null) return null;
      const policy = { name, limit, seconds: windowSeconds };
      return new Rate({ policy, store: createStore(policy), isExact, onStoreFailure: this.#complain });
    };
    this.#requests = rate('requests', limits.requestsPerToken, false);
    this.#unauthenticated = rate('unauthenticated', limits.requestsPerAddress, false);
    this.#messages = rate('messages', limits.messagesPerUser, true);
    this.#organizationMessages = rate('organization-messages', limits.messagesPerOrganization, true);
    this.#signIns = rate('sign-ins', limits.signInsPerAddress, true);
    this.#timer = setInterval(() => void this.synchronize(), synchronizeMs).unref();
  }

  /** How often the store has failed. */
  get storeFailures(): number {
    return this.#failures;
  }

  /** Counts a request with a valid token or session. Throws a `RateLimitedError` beyond the limit. */
  async countRequest({ tokenId }: { tokenId: string }, source: RequestSource): Promise<void> {
    await take(this.#requests, tokenId, source);
  }

  /** Counts a request without a valid token. Throws a `RateLimitedError` beyond the limit. */
  async countUnauthenticated(source: RequestSource): Promise<void> {
    await take(this.#unauthenticated, addressKey(source.address), source);
  }

  /** Counts a sign-in attempt before it is handled. Throws a `RateLimitedError` beyond the limit. */
  async countSignIn(source: RequestSource): Promise<void> {
    await take(this.#signIns, addressKey(source.address), source);
  }

  /**
   * Counts a message and sends it; a message that is not sent does not count. Throws a `RateLimitedError` beyond a
   * limit.
   */
  async countMessage<T>(viewer: MessageSender, source: RequestSource, send: () => Promise<T>): Promise<T> {
    const { userId, organizationId } = viewer;
    await take(this.#messages, userId, source);
    try {
      await take(this.#organizationMessages, String(organizationId), source);
    } catch (error) {
      await this.#messages?.giveBack(userId);
      throw error;
    }
    try {
      return await send();
    } catch (error) {
      await Promise.all([
        this.#messages?.giveBack(userId),
        this.#organizationMessages?.giveBack(String(organizationId)),
      ]);
      throw error;
    }
  }

  /** Synchronizes with the other nodes. Runs by itself at intervals, and never rejects. */
  async synchronize(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await Promise.all([this.#requests?.synchronize(), this.#unauthenticated?.synchronize()]);
    } finally {
      this.#isBusy = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  readonly #complain = (error: unknown): void => {
    this.#failures += 1;
    if (performance.now() - this.#loggedMs < logIntervalMs) return;
    this.#loggedMs = performance.now();
    this.#logger.warn({ err: error }, 'the shared rate limits cannot be reached; each node counts requests by itself');
  };
}

interface MessageSender {
  userId: string;
  organizationId: number;
}

async function take(rate: Rate | null, key: string, source: RequestSource): Promise<void> {
  if (!rate) return;
  const quota = await rate.take(key);
  source.add(quota);
  if (!quota.isAllowed) throw new RateLimitedError(quota);
}
