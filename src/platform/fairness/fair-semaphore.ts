/**
 * A semaphore with shares: no user or organization holds more than its share, even while nobody else waits, so a
 * newcomer never waits for a slow holder. Waiters get permits in turns (`FairQueue`), and each user may have only a
 * limited number of waiters. Nobody within their share is passed over, otherwise small requests could starve a large
 * one. For work of the process itself, busy principals also hold back while others are active (`Contention`).
 */
import { type Clock, systemClock } from '../async/clock.js';
import { Contention } from './contention.js';
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

/** The queue of this user is full. */
export class QueueFullError extends Error {
  constructor() {
    super('The user has too much waiting.');
    this.name = 'QueueFullError';
  }
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
}

/** Holding back also ends by time, which triggers no event, so it is checked at this interval. */
const lookAgainMs = 10;

export class FairSemaphore {
  readonly #shares: Shares;
  readonly #waiting = new FairQueue<Waiter>();
  readonly #ofOrganizations = new Map<number, number>();
  readonly #ofUsers = new Map<string, number>();
  readonly #clock: Clock;
  readonly #contention: { organizations: Contention<number>; users: Contention<string> } | null;
  #used = 0;
  #looksAgain = false;

  /** With `holdsBack`, busy principals hold back while others are active. */
  constructor(shares: Shares, { holdsBack = false, clock = systemClock }: { holdsBack?: boolean; clock?: Clock } = {}) {
    this.#shares = shares;
    this.#clock = clock;
    this.#contention = holdsBack ? { organizations: new Contention(), users: new Contention() } : null;
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
   * Resolves to the function that releases the permit. An amount above the share counts as the whole share. Rejects
   * with a `QueueFullError`, or with the abort reason of the signal.
   */
  async acquire(principal: Principal, { amount = 1, signal }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(principal, amount);
    if (release) return release;
    if (this.#waiting.sizeOf(principal) >= this.#shares.waitingPerUser) throw new QueueFullError();
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

  #wait(request: Request, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#grant(request));
      };
      const waiter = { ...request, grant };
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
        this.#grantNext();
      };
      signal?.addEventListener('abort', leave, { once: true });
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
    if (!this.#contention || this.#looksAgain || this.#waiting.size === 0) return;
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
    const end = this.#begin(principal);
    let held = amount;
    return (keep = 0) => {
      if (keep >= held) return;
      this.#count({ principal, amount: held - keep }, -1);
      held = keep;
      if (keep === 0) end?.();
      this.#grantNext();
    };
  }

  /** Returns what notes the end. */
  #begin({ organizationId, userId }: Principal): (() => void) | null {
    if (!this.#contention) return null;
    const nowMs = this.#clock.now();
    const endOfOrganization = this.#contention.organizations.begin(organizationId, nowMs);
    const endOfUser = this.#contention.users.begin(userId, nowMs);
    return () => {
      const endMs = this.#clock.now();
      endOfOrganization(endMs);
      endOfUser(endMs);
    };
  }

  #fits({ amount }: Request): boolean {
    return this.#used + amount <= this.#shares.total;
  }

  readonly #isWithinShares = ({ principal, amount }: Request): boolean => {
    const { perOrganization, perUser } = this.#shares;
    return (
      (this.#ofOrganizations.get(principal.organizationId) ?? 0) + amount <= perOrganization &&
      (this.#ofUsers.get(principal.userId) ?? 0) + amount <= perUser &&
      this.#mayBegin(principal)
    );
  };

  #mayBegin({ organizationId, userId }: Principal): boolean {
    if (!this.#contention) return true;
    const nowMs = this.#clock.now();
    const { organizations, users } = this.#contention;
    return organizations.admits(organizationId, nowMs) && users.admits(userId, nowMs);
  }

  #count({ principal, amount }: Request, sign: 1 | -1): void {
    this.#used += sign * amount;
    add(this.#ofOrganizations, principal.organizationId, sign * amount);
    add(this.#ofUsers, principal.userId, sign * amount);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
