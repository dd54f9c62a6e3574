/**
 * A semaphore whose permits are shared: no user and no organization holds more than its share, even while nobody else asks, so
 * whoever comes next never waits for a holder who takes their time. Who waits gets permits in turns (`FairQueue`), and each user
 * may have only so much waiting.
 */
import { FairQueue } from './fair-queue.js';
import type { Party } from './party.js';

/** How much there is of something, and how much of it each may hold. In units of the semaphore's user: places, or bytes. */
export interface Shares {
  total: number;
  perOrganization: number;
  perUser: number;
  /** Requests for permits of one user that may wait. */
  waitingPerUser: number;
}

/** There is no room in the queue of this user. */
export class QueueFullError extends Error {
  constructor() {
    super('The user has too much waiting.');
    this.name = 'QueueFullError';
  }
}

interface Waiter {
  party: Party;
  amount: number;
  grant?: () => void;
}

export class FairSemaphore {
  readonly #waiting = new FairQueue<Waiter>();
  readonly #ofOrganizations = new Map<number, number>();
  readonly #ofUsers = new Map<string, number>();
  #used = 0;

  constructor(private readonly shares: Shares) {}

  /**
   * Resolves with what gives the permit back. Whatever is larger than a share counts as the whole share. Rejects with a
   * `QueueFullError`, or with the reason of the signal when that aborts first.
   */
  async acquire(
    party: Party,
    { amount = 1, signal }: { amount?: number; signal?: AbortSignal } = {},
  ): Promise<() => void> {
    const { total, perOrganization, perUser, waitingPerUser } = this.shares;
    signal?.throwIfAborted();
    const waiter: Waiter = { party, amount: Math.min(amount, total, perOrganization, perUser) };
    if (this.#waiting.sizeOf(party) === 0 && this.#hasRoomFor(waiter)) {
      this.#count(waiter, 1);
    } else {
      if (this.#waiting.sizeOf(party) >= waitingPerUser) throw new QueueFullError();
      await this.#wait(waiter, signal);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(waiter, -1);
      this.#grantNext();
    };
  }

  /** Runs the work with a permit. */
  async run<T>(party: Party, work: () => PromiseLike<T>): Promise<T> {
    const release = await this.acquire(party);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(waiter: Waiter, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter.party, waiter);
        reject(signal?.reason);
      };
      waiter.grant = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter.party, waiter);
    });
  }

  #grantNext(): void {
    while (this.#used < this.shares.total) {
      const waiter = this.#waiting.shift((candidate) => this.#hasRoomFor(candidate));
      if (!waiter) return;
      this.#count(waiter, 1);
      waiter.grant?.();
    }
  }

  #hasRoomFor({ party, amount }: Waiter): boolean {
    const { total, perOrganization, perUser } = this.shares;
    return (
      this.#used + amount <= total &&
      (this.#ofOrganizations.get(party.organizationId) ?? 0) + amount <= perOrganization &&
      (this.#ofUsers.get(party.userId) ?? 0) + amount <= perUser
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
