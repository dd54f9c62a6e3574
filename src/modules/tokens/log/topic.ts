/**
 * Who waits for news of which response. A waiter is called once and forgotten, and can be taken back before: a reaction
 * on a shared promise could not, and each reader who leaves or times out would leave one behind. A watch exists only
 * while somebody reads, so the registry cannot grow with the number of responses.
 */
export class Watch {
  readers = 0;
  /** Goes up with each call for another look at the response's row, so that a call between two waits is not lost. */
  revision = 0;
  #waiters = new Set<() => void>();

  /** Calls `wake` at the next news, unless the returned function is called first. */
  wait(wake: () => void): () => void {
    const waiters = this.#waiters;
    waiters.add(wake);
    return () => waiters.delete(wake);
  }

  wake(): void {
    if (this.#waiters.size === 0) return;
    const waiters = this.#waiters;
    this.#waiters = new Set();
    for (const wake of waiters) wake();
  }

  invalidate(): void {
    this.revision += 1;
    this.wake();
  }

  get waiting(): number {
    return this.#waiters.size;
  }
}

export class Watches {
  readonly #byResponse = new Map<string, Watch>();

  enter(responseId: string): Watch {
    const watch = this.#byResponse.get(responseId) ?? new Watch();
    this.#byResponse.set(responseId, watch);
    watch.readers += 1;
    return watch;
  }

  leave(responseId: string, watch: Watch): void {
    watch.readers -= 1;
    if (watch.readers === 0) this.#byResponse.delete(responseId);
  }

  get(responseId: string): Watch | undefined {
    return this.#byResponse.get(responseId);
  }

  all(): Iterable<Watch> {
    return this.#byResponse.values();
  }
}
