/**
 * Runs a task repeatedly and never concurrently: once per interval, and immediately on request. A request does not
 * postpone the next interval; otherwise frequent requests could delay work that is due by time.
 */
export class IntervalLoop {
  readonly #intervalMs: number;
  readonly #task: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = true;

  /** `task` must not reject. */
  constructor(intervalMs: number, task: () => Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#task = task;
  }

  start(): void {
    this.#stopped = false;
    this.now();
  }

  /** Runs the task now, or once more after the current run. */
  now(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Stops the loop and waits for the current run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#task();
    }
    this.#running = undefined;
    if (!this.#stopped) this.#timer ??= setTimeout(() => this.#tick(), this.#intervalMs);
  }

  #tick(): void {
    this.#timer = undefined;
    this.now();
  }
}
