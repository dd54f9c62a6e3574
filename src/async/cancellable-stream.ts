/**
 * The one adapter of streams that are pulled: an async iterator that can be ended at any moment, by its reader, by its source
 * or by anything else, such as an abort or a timer. The end settles every pending `next()` at once, and what the source still
 * gives is dropped. A bare generator can do neither while it waits: its own `return()` runs only after the wait.
 */

/** What may end a stream: takes what to call then, and returns what takes that back. */
export type Ending = (end: () => void) => () => void;

export interface CancellableStreamOptions<T> {
  /** Asks the source for its next value. */
  next: () => Promise<IteratorResult<T, unknown>>;
  /** What ends the stream besides its reader and its source. */
  endings?: readonly Ending[];
  /** Called once, at the end of whatever kind. It must end the wait that the source is in, and release everything. */
  release: () => unknown;
}

const over = { done: true, value: undefined } as const;

export class CancellableStream<T> implements AsyncIterableIterator<T, void, void> {
  readonly #options: CancellableStreamOptions<T>;
  readonly #pending = new Set<(result: IteratorResult<T, void>) => void>();
  #cancels: (() => void)[] = [];
  #isOver = false;

  constructor(options: CancellableStreamOptions<T>) {
    this.#options = options;
    this.#cancels = (options.endings ?? []).map((ending) => ending(() => void this.#end()));
    // What had happened already has ended it before the others were subscribed to.
    if (this.#isOver) this.#cancelEndings();
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#isOver) return Promise.resolve(over);
    return new Promise((resolve, reject) => {
      this.#pending.add(resolve);
      this.#options.next().then(
        (result) => {
          this.#pending.delete(resolve);
          if (result.done) void this.#end();
          resolve(result.done ? over : result);
        },
        (error: unknown) => {
          this.#pending.delete(resolve);
          void this.#end();
          // After the end the promise is settled already: a fault of work that nobody waits for any more ends here.
          reject(error);
        },
      );
    });
  }

  async return(): Promise<IteratorResult<T, void>> {
    await this.#end();
    return over;
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    await this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): unknown {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    this.#cancelEndings();
    for (const resolve of this.#pending) resolve(over);
    this.#pending.clear();
    return this.#options.release();
  }

  #cancelEndings(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }
}

/** The abort of a signal, also of one that was aborted before. */
export function onAbort(signal: AbortSignal): Ending {
  return (end) => {
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return () => signal.removeEventListener('abort', end);
  };
}

/** The end of a time. Its timer does not keep the process alive. */
export function afterMs(delayMs: number): Ending {
  return (end) => {
    const timer = setTimeout(end, delayMs).unref();
    return () => clearTimeout(timer);
  };
}
