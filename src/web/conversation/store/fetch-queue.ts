/** Fetches that run one after the other, since each adds to what the one before it has found; none that fails is forgotten. */
import { reconnection } from '../../api/live.js';

export class FetchQueue {
  #last: Promise<void> = Promise.resolve();
  #isOwed = false;
  /** Fetches all that is new, and has not begun. */
  #waiting: Promise<void> | undefined;

  add(fetch: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(fetch);
    return this.#last;
  }

  /** Fetches all that is new. Whoever asks before that has begun is served by it too. */
  catchUp(fetch: () => Promise<void>): Promise<void> {
    this.#waiting ??= this.add(() => {
      this.#waiting = undefined;
      return fetch();
    });
    return this.#waiting;
  }

  /** Fetches when the service can be expected to answer again: once, for all that has failed until then. */
  retryLater(fetch: () => unknown): void {
    if (this.#isOwed) return;
    this.#isOwed = true;
    void reconnection().then(() => {
      this.#isOwed = false;
      fetch();
    });
  }
}
