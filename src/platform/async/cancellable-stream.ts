/**
 * The adapter for all pulled streams: an async iterator that its reader, its source, an abort or a timer can end at any
 * time. The end settles every pending `next()` immediately, and later values of the source are dropped. A generator
 * cannot do this while it waits, because its `return()` runs only after the wait.
 */

/** Something that ends a stream: takes a callback, and returns the function that unsubscribes it. */
export type Ending = (end: () => void) => () => void;

export interface CancellableStreamOptions<T> {
  /** Requests the next value of the source. */
  next: () => Promise<IteratorResult<T, unknown>>;
  /** Further reasons for the stream to end. */
  endings?: readonly Ending[];
  /** Called once when the stream ends for any reason. It must end the source's pending wait and release everything. */
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
    // An ending that had already happened ended the stream before the others were subscribed to.
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
          // After the end the promise is already settled, so errors of abandoned work end here.
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

/** Ends the stream when the signal aborts, or if it is already aborted. */
export function onAbort(signal: AbortSignal): Ending {
  return (end) => {
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return () => signal.removeEventListener('abort', end);
  };
}

/** Ends the stream after a delay. The timer does not keep the process alive. */
export function afterMs(delayMs: number): Ending {
  return (end) => {
    const timer = setTimeout(end, delayMs).unref();
    return () => clearTimeout(timer);
  };
}
