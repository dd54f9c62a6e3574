/**
 * Does one thing again and again, never twice at the same time: each interval, and at once when asked. Being asked
 * does not put off the next interval: where messages come just before each, what is due once an interval would wait for two.
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

  /** Runs the task now, or once more right after the present run. */
  now(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Ends after the present run, if there is one. */
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
