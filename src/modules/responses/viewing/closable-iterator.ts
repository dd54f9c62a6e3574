/**
 * Makes an async generator that waits for news safe to hand to a server: `return()` and the abort of the signal settle
 * every pending `next()` at once. A bare generator that waits is not cleaned up when its client leaves, since its own
 * `return()` only runs after the wait.
 */
export interface ClosableIteratorOptions<T> {
  source: AsyncGenerator<T, void, void>;
  signal: AbortSignal;
  /** Called once, at the end of whatever kind. It must release everything, and end the wait that the source is in. */
  release: () => void;
}

export class ClosableIterator<T> implements AsyncIterableIterator<T, void, void> {
  readonly #options: ClosableIteratorOptions<T>;
  readonly #pending = new Set<(result: IteratorResult<T, void>) => void>();
  #closed = false;

  constructor(options: ClosableIteratorOptions<T>) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#close, { once: true });
    if (options.signal.aborted) this.#close();
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#pending.add(resolve);
      this.#options.source.next().then(
        (result) => {
          this.#pending.delete(resolve);
          if (result.done) this.#close();
          resolve(result);
        },
        (error: unknown) => {
          this.#pending.delete(resolve);
          this.#close();
          // After a close the promise is settled already: a fault of work that nobody waits for any more ends here.
          reject(error);
        },
      );
    });
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.signal.removeEventListener('abort', this.#close);
    this.#options.release();
    for (const resolve of this.#pending) resolve({ done: true, value: undefined });
    this.#pending.clear();
  };
}
