/**
 * The limits of a process. A token is counted by its requests, an address by those that show no living token, a user and an
 * organization by their messages. Whoever has a living token is never refused because of an address: many share one. Attempts
 * to sign in are counted by address, whoever makes them.
 */
import type { Logger } from 'pino';
import type { Viewer } from '../modules/identity/authenticate.js';
import { addressKey } from './address-key.js';
import type { PolicyName, RatePolicy } from './quota.js';
import { Rate, type RateStore } from './rate.js';
import { RateLimitedError } from './rate-limited-error.js';
import type { RequestSource } from './request-source.js';

/** How many a minute; null: as many as anybody likes. */
export interface CallLimits {
  requestsPerToken: number | null;
  requestsPerAddress: number | null;
  messagesPerUser: number | null;
  messagesPerOrganization: number | null;
  signInsPerAddress: number | null;
}

export interface RatesOptions {
  limits: CallLimits;
  /** What the nodes share for a policy; null on one node. */
  createStore: (policy: RatePolicy) => RateStore | null;
  logger: Logger;
}

const windowSeconds = 60;
const synchronizeMs = 500;
/** A store that is away is told of once in so long. */
const complainMs = 60_000;

export class Rates {
  readonly #requests: Rate | null;
  readonly #unauthenticated: Rate | null;
  readonly #messages: Rate | null;
  readonly #organizationMessages: Rate | null;
  readonly #signIns: Rate | null;
  readonly #timer: NodeJS.Timeout;
  readonly #logger: Logger;
  #complainedMs = Number.NEGATIVE_INFINITY;
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

  /** How often the store could not be asked. */
  get storeFailures(): number {
    return this.#failures;
  }

  /** Counts a request with a living token, or of a session. Throws a `RateLimitedError` beyond the limit. */
  async countRequest({ tokenId }: Pick<Viewer, 'tokenId'>, source: RequestSource): Promise<void> {
    await take(this.#requests, tokenId, source);
  }

  /** Counts a request that shows no living token. Throws a `RateLimitedError` beyond the limit. */
  async countUnauthenticated(source: RequestSource): Promise<void> {
    await take(this.#unauthenticated, addressKey(source.address), source);
  }

  /** Counts an attempt to sign in, before anything of it is looked at. Throws a `RateLimitedError` beyond the limit. */
  async countSignIn(source: RequestSource): Promise<void> {
    await take(this.#signIns, addressKey(source.address), source);
  }

  /** Counts a message and sends it; one that is not sent does not count. Throws a `RateLimitedError` beyond a limit. */
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

  /** Adds up with the other nodes. It runs by itself, and never rejects. */
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
    if (performance.now() - this.#complainedMs < complainMs) return;
    this.#complainedMs = performance.now();
    this.#logger.warn({ err: error }, 'the shared rate limits cannot be reached; each node counts requests by itself');
  };
}

type MessageSender = Pick<Viewer, 'userId' | 'organizationId'>;

async function take(rate: Rate | null, key: string, source: RequestSource): Promise<void> {
  if (!rate) return;
  const quota = await rate.take(key);
  source.add(quota);
  if (!quota.isAllowed) throw new RateLimitedError(quota);
}
