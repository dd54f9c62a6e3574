/**
 * Runs a task a short time after it is requested, once for all requests made meanwhile, and never concurrently. The
 * task itself says when it must run again, so requests made during a run need no timer.
 */
export class DelayedTask {
  readonly #task: () => Promise<number | null>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** `task` must not reject. It resolves to the delay of the next run, or to null if nothing is left to do. */
  constructor(task: () => Promise<number | null>) {
    this.#task = task;
  }

  /** Runs the task after the delay. Does nothing if it is running or already scheduled. */
  request(delayMs: number): void {
    if (this.#closed || this.#running) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, delayMs);
  }

  /** Runs the task after this delay instead of the present one. Does nothing if it is running. */
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
    const delayMs = await this.#task();
    this.#running = undefined;
    if (delayMs !== null) this.request(delayMs);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
