/**
 * Who waits for news of which response. A waiter is called once and forgotten, and can be taken back before: a reaction
 * on a shared promise could not, and each reader who leaves or times out would leave one behind. A watch exists only
 * while somebody reads, so the registry cannot grow with the number of responses.
 */
export class Topic {
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

export class Topics {
  readonly #byResponse = new Map<string, Topic>();

  enter(responseId: string): Topic {
    const watch = this.#byResponse.get(responseId) ?? new Topic();
    this.#byResponse.set(responseId, watch);
    watch.readers += 1;
    return watch;
  }

  leave(responseId: string, watch: Topic): void {
    watch.readers -= 1;
    if (watch.readers === 0) this.#byResponse.delete(responseId);
  }

  get(responseId: string): Topic | undefined {
    return this.#byResponse.get(responseId);
  }

  all(): Iterable<Topic> {
    return this.#byResponse.values();
  }
}
