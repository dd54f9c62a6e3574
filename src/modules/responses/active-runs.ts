/** The runs of one worker that have not ended, each with its own abort. */
import type { Run } from './protocol.js';

export interface ActiveRun {
  /** Changes when the run goes on under a new epoch. */
  run: Run;
  readonly abort: AbortController;
  /** Monotonic time just before the last successful renewal was sent. */
  renewedMs: number;
}

export class ActiveRuns {
  readonly #entries = new Map<ActiveRun, Promise<void>>();

  get size(): number {
    return this.#entries.size;
  }

  list(): ActiveRun[] {
    return [...this.#entries.keys()];
  }

  /** Starts `body`, which must not reject, and keeps the entry until it ends; resolves when the entry is out again. */
  add(run: Run, body: (entry: ActiveRun) => Promise<void>): Promise<void> {
    const entry = { run, abort: new AbortController(), renewedMs: performance.now() };
    const ended = Promise.resolve()
      .then(() => body(entry))
      .finally(() => this.#entries.delete(entry));
    this.#entries.set(entry, ended);
    return ended;
  }

  /** Aborts what is left and gives it back. */
  abortAll(): Run[] {
    const entries = this.list();
    for (const entry of entries) entry.abort.abort(new Error('the process is stopping'));
    return entries.map((entry) => entry.run);
  }

  /** Resolves when all have ended, or after `limitMs`. */
  async settledWithin(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([Promise.allSettled(this.#entries.values()), limit]);
    clearTimeout(timer);
  }
}
