/**
 * Runs a task a short time after it is requested, once for all requests made meanwhile, and never concurrently. After a run
 * the task says when it must run again; otherwise a request made during the run counts, so none is lost.
 */
export class DelayedTask {
  readonly #task: () => Promise<number | null>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** The delay of the first request made during the present run. */
  #requestedMs: number | null = null;
  #closed = false;

  /** `task` must not reject. It resolves to the delay of the next run, or to null if nothing is left to do. */
  constructor(task: () => Promise<number | null>) {
    this.#task = task;
  }

  /** Runs the task after the delay, or as long after the present run. Does nothing if it is already scheduled. */
  request(delayMs: number): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#requestedMs ??= delayMs;
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, delayMs);
  }

  /** The same, but after this delay instead of the scheduled one. */
  reschedule(delayMs: number): void {
    this.#cancel();
    this.request(delayMs);
  }

  /** Prevents further runs, and waits for the present one. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    const taskMs = await this.#task();
    const delayMs = taskMs ?? this.#requestedMs;
    this.#running = undefined;
    this.#requestedMs = null;
    if (delayMs !== null) this.request(delayMs);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
