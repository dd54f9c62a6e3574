/** The turn of an operation among those of its user: it lasts as long as the operation works, and not while it only waits. */

import type { FairSemaphore, Release } from '../../fairness/fair-semaphore.js';
import type { Party } from '../../fairness/party.js';

export interface Turn {
  /** Lends the turn to others during a wait that holds no connection of the database. */
  lend<T>(wait: () => Promise<T>): Promise<T>;
  /** The turn lasts until this has settled, also where the caller is answered before. */
  lastsUntil(work: Promise<unknown>): void;
}

/** For what needs no turn: streams, and requests that are no operation. */
export const noTurn: Turn = { lend: (wait) => wait(), lastsUntil: () => undefined };

export class HeldTurn implements Turn {
  #release: Release;
  /** Waits during which the turn is lent. */
  #lendings = 0;
  #works: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(
    private readonly turns: FairSemaphore,
    private readonly party: Party,
    private readonly signal: AbortSignal,
    release: Release,
  ) {
    this.#release = release;
  }

  async lend<T>(wait: () => Promise<T>): Promise<T> {
    this.#lendings += 1;
    this.#release();
    try {
      return await wait();
    } finally {
      this.#lendings -= 1;
      if (this.#lendings === 0) await this.#takeBack();
    }
  }

  lastsUntil(work: Promise<unknown>): void {
    this.#works = Promise.allSettled([this.#works, work]);
  }

  /** Gives the turn back as soon as all work has settled. */
  async end(): Promise<void> {
    await this.#works;
    this.#isOver = true;
    this.#release();
  }

  async #takeBack(): Promise<void> {
    try {
      const release = await this.turns.acquire(this.party, { signal: this.signal, returning: true });
      if (this.#isOver || this.#lendings > 0) release();
      else this.#release = release;
    } catch (error) {
      // Whoever has left needs no turn: what is left to do is to give back what was waited for.
      if (!this.signal.aborted) throw error;
    }
  }
}
