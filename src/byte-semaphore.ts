/** A number of bytes that many share: whoever finds too few left waits, in the order of arrival, and never fails. */

/** Gives the bytes back, once. */
export type Release = () => void;

interface Waiter {
  bytes: number;
  admit: (release: Release) => void;
}

export class ByteSemaphore {
  #taken = 0;
  readonly #waiters = new Set<Waiter>();

  constructor(private readonly capacity: number) {}

  /** The bytes, if they are there and nobody waits for some. Who wants more than there are at all takes all of them. */
  tryAcquire(bytes: number): Release | null {
    const wanted = Math.min(bytes, this.capacity);
    return this.#waiters.size === 0 && this.#taken + wanted <= this.capacity ? this.#take(wanted) : null;
  }

  /** The bytes, as soon as it is the caller's turn. Rejects with the signal's reason, and leaves the queue, when it aborts. */
  async acquire(bytes: number, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const release = this.tryAcquire(bytes);
    if (release) return release;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(waiter);
        reject(signal.reason);
        this.#admitNext();
      };
      const waiter: Waiter = {
        bytes: Math.min(bytes, this.capacity),
        admit: (given) => {
          signal.removeEventListener('abort', leave);
          resolve(given);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #take(bytes: number): Release {
    this.#taken += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= bytes;
      this.#admitNext();
    };
  }

  /** Nobody is passed over: small ones could otherwise keep a large one out for ever. */
  #admitNext(): void {
    for (const waiter of this.#waiters) {
      if (this.#taken + waiter.bytes > this.capacity) return;
      this.#waiters.delete(waiter);
      waiter.admit(this.#take(waiter.bytes));
    }
  }
}
