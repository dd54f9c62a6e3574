/** Runs fetches one after the other, since each adds to the result of the one before it. A failed fetch is retried. */
import { reconnection } from '../../api/live.js';

export class FetchQueue {
  #last: Promise<void> = Promise.resolve();
  #isOwed = false;
  /** The queued fetch that loads everything new and has not started. */
  #waiting: Promise<void> | undefined;

  add(fetch: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(fetch);
    return this.#last;
  }

  /** Loads everything new. Calls made before it starts share the same fetch. */
  catchUp(fetch: () => Promise<void>): Promise<void> {
    this.#waiting ??= this.add(() => {
      this.#waiting = undefined;
      return fetch();
    });
    return this.#waiting;
  }

  /** Retries once when the service can be expected to respond again, for everything that has failed until then. */
  retryLater(fetch: () => unknown): void {
    if (this.#isOwed) return;
    this.#isOwed = true;
    void reconnection().then(() => {
      this.#isOwed = false;
      fetch();
    });
  }
}
