/**
 * A semaphore with shares: no user or organization holds more than its share, even while nobody else waits, so a
 * newcomer never waits for a slow holder. Waiters get permits in turns (`FairQueue`), and each user may have only a
 * limited number of waiters. Nobody within their share is passed over, otherwise small requests could starve a large
 * one. For work of the process itself, busy parties also hold back while others are active (`Contention`).
 */
import { type Clock, systemClock } from '../async/clock.js';
import { Contention } from './contention.js';
import { FairQueue } from './fair-queue.js';
import type { Party } from './party.js';

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
  /** Whether the caller has lent its permit before: it then waits even if the queue is full. */
  returning?: boolean;
}

export interface FairSemaphoreOptions {
  /** Whether busy parties hold back while others are active. */
  holdsBack?: boolean;
  clock?: Clock;
}

interface Waiter {
  party: Party;
  amount: number;
  grant?: () => void;
}

/** Holding back also ends by time, which triggers no event, so it is checked at this interval. */
const lookAgainMs = 10;

export class FairSemaphore {
  readonly #shares: Shares;
  readonly #waiting = new FairQueue<Waiter>();
  readonly #ofOrganizations = new Map<number, number>();
  readonly #ofUsers = new Map<string, number>();
  readonly #clock: Clock;
  readonly #contention: Contention | null;
  #used = 0;
  #looksAgain = false;

  constructor(shares: Shares, { holdsBack = false, clock = systemClock }: FairSemaphoreOptions = {}) {
    this.#shares = shares;
    this.#clock = clock;
    this.#contention = holdsBack ? new Contention(() => clock.now()) : null;
  }

  /** The amount in use. */
  get used(): number {
    return this.#used;
  }

  /** Returns a permit if it is available immediately; otherwise null. */
  tryAcquire(party: Party, amount = 1): Release | null {
    const waiter = this.#waiterFor(party, amount);
    if (this.#waiting.sizeOf(party) > 0 || !this.#isWithinShares(waiter) || !this.#fits(waiter)) return null;
    if (this.#waiting.peek((other) => this.#isWithinShares(other))) return null;
    return this.#grant(waiter);
  }

  /**
   * Resolves to the function that releases the permit. An amount above the share counts as the whole share. Rejects
   * with a `QueueFullError`, or with the abort reason of the signal.
   */
  async acquire(party: Party, { amount = 1, signal, returning = false }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(party, amount);
    if (release) return release;
    if (!returning && this.#waiting.sizeOf(party) >= this.#shares.waitingPerUser) throw new QueueFullError();
    const waiter = this.#waiterFor(party, amount);
    return this.#wait(waiter, signal);
  }

  /** Runs the work with a permit. Rejects like `acquire` or the work. */
  async run<T>(party: Party, work: () => PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(party, signal && { signal });
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(waiter: Waiter, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter.party, waiter);
        reject(signal?.reason);
        this.#grantNext();
      };
      waiter.grant = () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#grant(waiter));
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter.party, waiter);
      this.#lookAgain();
    });
  }

  #grantNext(): void {
    for (;;) {
      const waiter = this.#waiting.peek((candidate) => this.#isWithinShares(candidate));
      if (!waiter || !this.#fits(waiter)) break;
      this.#waiting.shift((candidate) => candidate === waiter);
      waiter.grant?.();
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

  #waiterFor(party: Party, amount: number): Waiter {
    const { total, perOrganization, perUser } = this.#shares;
    return { party, amount: Math.min(amount, total, perOrganization, perUser) };
  }

  /** Grants the permit. */
  #grant({ party, amount }: Waiter): Release {
    this.#count({ party, amount }, 1);
    const end = this.#contention?.begin(party);
    let held = amount;
    return (keep = 0) => {
      if (keep >= held) return;
      this.#count({ party, amount: held - keep }, -1);
      held = keep;
      if (keep === 0) end?.();
      this.#grantNext();
    };
  }

  #fits({ amount }: Waiter): boolean {
    return this.#used + amount <= this.#shares.total;
  }

  #isWithinShares({ party, amount }: Waiter): boolean {
    const { perOrganization, perUser } = this.#shares;
    return (
      (this.#ofOrganizations.get(party.organizationId) ?? 0) + amount <= perOrganization &&
      (this.#ofUsers.get(party.userId) ?? 0) + amount <= perUser &&
      (this.#contention?.admits(party) ?? true)
    );
  }

  #count({ party, amount }: Waiter, sign: 1 | -1): void {
    this.#used += sign * amount;
    add(this.#ofOrganizations, party.organizationId, sign * amount);
    add(this.#ofUsers, party.userId, sign * amount);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
