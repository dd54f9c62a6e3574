/**
 * The turn of an operation (`Services.turns`). While the operation waits for something other than the database, it gives
 * its turn back: those who wait for room for their answers would otherwise hold all turns of their organization.
 */
import type { Context } from '../../builder.js';
import type { Release } from '../../platform/fairness/fair-semaphore.js';

/** The signal is read only to take a turn again, because to make one costs as much as the rest. */
type Holder = Pick<Context, 'turns' | 'viewer' | 'signal'>;

export class Turn {
  readonly #holder: Holder;
  #release: Release;
  #isOver = false;

  constructor(holder: Holder, release: Release) {
    this.#holder = holder;
    this.#release = release;
  }

  /** Waits without the turn, and then until it has one again. After the end there is none to give back. */
  async lend(wait: () => Promise<void>): Promise<void> {
    if (this.#isOver) return wait();
    this.#release();
    try {
      await wait();
    } finally {
      await this.#takeAgain();
    }
  }

  readonly end = (): void => {
    this.#isOver = true;
    this.#release();
  };

  async #takeAgain(): Promise<void> {
    if (this.#isOver) return;
    const { turns, viewer, signal } = this.#holder;
    this.#release = await turns.acquire(viewer, { signal });
    // The operation has failed meanwhile.
    if (this.#isOver) this.#release();
  }
}
