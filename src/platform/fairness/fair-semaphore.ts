/**
 * A semaphore with shares: no user or organization holds more than its share, even while nobody else waits, so a
 * newcomer never waits for a slow holder. Waiters get permits in turns (`FairQueue`), and each user may have only a
 * limited number of waiters. Nobody within their share is passed over, otherwise small requests could starve a large
 * one. For work of the process itself, busy principals also hold back while others are active (`Contention`).
 */
import { type Clock, systemClock } from '../async/clock.js';
import { Contention } from './contention.js';
import { Counts } from './counts.js';
import { FairQueue } from './fair-queue.js';
import type { Principal } from './principal.js';

/** The total amount of a resource and the share of each user and organization, in places or bytes. */
export interface Shares {
  total: number;
  perOrganization: number;
  perUser: number;
  /** Maximum number of waiting requests of a user. */
  waitingPerUser: number;
}

export interface SemaphoreOptions {
  /** Whether busy principals hold back while others are active. */
  holdsBack?: boolean;
  /** Maximum time to wait for a permit. */
  waitMs?: number;
  /**
   * What a request that gets no permit rejects with, because its user has too many waiting, it has waited too long or its
   * signal was aborted. By default it is the reason.
   */
  refusal?: (reason: Error) => Error;
  clock?: Clock;
}

/** Releases the permit except for `keep` of its amount. May be called again to release the rest. */
export type Release = (keep?: number) => void;

interface AcquireOptions {
  amount?: number;
  signal?: AbortSignal;
}

interface Request {
  principal: Principal;
  amount: number;
}

interface Waiter extends Request {
  grant: () => void;
  leave: () => void;
}

/** Holding back also ends by time, which triggers no event, so it is checked at this interval. */
const lookAgainMs = 10;

export class FairSemaphore {
  readonly #shares: Shares;
  readonly #waitMs: number | undefined;
  readonly #refusal: (reason: Error) => Error;
  readonly #waiting = new FairQueue<Waiter>();
  readonly #ofOrganizations = new Counts<Principal['organizationId']>();
  readonly #ofUsers = new Counts<string>();
  readonly #clock: Clock;
  readonly #contention: Contention | null;
  #used = 0;
  #looksAgain = false;

  constructor(shares: Shares, options: SemaphoreOptions = {}) {
    const { holdsBack = false, waitMs, refusal = (reason) => reason, clock = systemClock } = options;
    this.#shares = shares;
    this.#waitMs = waitMs;
    this.#refusal = refusal;
    this.#clock = clock;
    this.#contention = holdsBack ? new Contention(clock) : null;
  }

  /** The amount in use. */
  get used(): number {
    return this.#used;
  }

  /** Returns a permit if it is available immediately; otherwise null. */
  tryAcquire(principal: Principal, amount = 1): Release | null {
    const request = this.#requestFor(principal, amount);
    if (this.#waiting.sizeOf(principal) > 0 || !this.#isWithinShares(request) || !this.#fits(request)) return null;
    if (this.#waiting.next(this.#isWithinShares)) return null;
    return this.#grant(request);
  }

  /**
   * Resolves to the function that releases the permit. An amount above the share counts as the whole share. Rejects with
   * the `refusal`.
   */
  async acquire(principal: Principal, { amount = 1, signal }: AcquireOptions = {}): Promise<Release> {
    if (signal?.aborted) throw this.#refusal(signal.reason);
    const release = this.tryAcquire(principal, amount);
    if (release) return release;
    if (this.#waiting.sizeOf(principal) >= this.#shares.waitingPerUser)
      throw this.#refusal(new Error('The queue is full.'));
    return this.#wait(this.#requestFor(principal, amount), signal);
  }

  /** Runs the work with a permit. Rejects like `acquire` or the work. */
  async run<T>(principal: Principal, work: () => PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(principal, signal && { signal });
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Refuses all who wait. */
  close(): void {
    const next = () => this.#waiting.next(() => true);
    for (let waiter = next(); waiter; waiter = next()) waiter.leave();
  }

  #wait(request: Request, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        stopWaiting();
        resolve(this.#grant(request));
      };
      const leave = () => {
        stopWaiting();
        reject(this.#refusal(signal?.aborted ? signal.reason : new Error('It took too long.')));
        this.#grantNext();
      };
      const waiter = { ...request, grant, leave };
      const cancelTimer = this.#waitMs === undefined ? undefined : this.#clock.after(this.#waitMs, leave);
      const stopWaiting = () => {
        this.#waiting.delete(waiter);
        cancelTimer?.();
        signal?.removeEventListener('abort', leave);
      };
      signal?.addEventListener('abort', leave);
      this.#waiting.push(waiter);
      this.#lookAgain();
    });
  }

  #grantNext(): void {
    for (;;) {
      const waiter = this.#waiting.next(this.#isWithinShares);
      if (!waiter || !this.#fits(waiter)) break;
      this.#waiting.serve(waiter);
      waiter.grant();
    }
    this.#lookAgain();
  }

  #lookAgain(): void {
    if (!this.#contention || this.#looksAgain || this.#waiting.isEmpty) return;
    this.#looksAgain = true;
    this.#clock.after(lookAgainMs, () => {
      this.#looksAgain = false;
      this.#grantNext();
    });
  }

  #requestFor(principal: Principal, amount: number): Request {
    const { total, perOrganization, perUser } = this.#shares;
    return { principal, amount: Math.min(amount, total, perOrganization, perUser) };
  }

  #grant({ principal, amount }: Request): Release {
    this.#count({ principal, amount }, 1);
    const end = this.#contention?.begin(principal);
    let held = amount;
    return (keep = 0) => {
      if (keep >= held) return;
      this.#count({ principal, amount: held - keep }, -1);
      held = keep;
      if (keep === 0) end?.();
      this.#grantNext();
    };
  }

  #fits({ amount }: Request): boolean {
    return this.#used + amount <= this.#shares.total;
  }

  readonly #isWithinShares = ({ principal, amount }: Request): boolean => {
    const { perOrganization, perUser } = this.#shares;
    return (
      this.#ofOrganizations.of(principal.organizationId) + amount <= perOrganization &&
      this.#ofUsers.of(principal.userId) + amount <= perUser &&
      (this.#contention?.admits(principal) ?? true)
    );
  };

  #count({ principal, amount }: Request, sign: 1 | -1): void {
    this.#used += sign * amount;
    this.#ofOrganizations.add(principal.organizationId, sign * amount);
    this.#ofUsers.add(principal.userId, sign * amount);
  }
}
