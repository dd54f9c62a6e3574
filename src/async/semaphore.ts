/** Lets a bounded number of tasks run at once; the others wait for their turn, in the order in which they came. */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Runs the task when its turn comes. Gives what it gives, throws what it throws. */
  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
