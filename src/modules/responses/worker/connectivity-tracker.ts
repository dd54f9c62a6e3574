/**
 * How long the database has answered every statement: a worker that was out of contact knows nothing of the others. A late
 * answer ends the contact as a lost one does, because whatever held it up (a frozen server, a network) held up the others'
 * heartbeats as well.
 */
import type { Logger } from 'pino';

export class ConnectivityTracker {
  readonly #logger: Logger;
  readonly #lateMs: number;
  /** Monotonic; null after a statement that was not answered. */
  #sinceMs: number | null = null;

  /** An answer that took longer than `lateMs` came after a silence in which somebody's lease may have run out. */
  constructor(logger: Logger, lateMs: number) {
    this.#logger = logger;
    this.#lateMs = lateMs;
  }

  /** Milliseconds since the first answer after the last failure or silence; 0 where there is no contact. */
  get lastedMs(): number {
    return this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
  }

  /** For a process that has the database to itself: there are no others to know of. */
  assumeAlways(): void {
    this.#sinceMs = Number.NEGATIVE_INFINITY;
  }

  /** The result of a statement; null, and a line in the log, where it failed. Never rejects. */
  async attempt<T>(what: string, statement: () => Promise<T>): Promise<T | null> {
    const askedMs = performance.now();
    try {
      const result = await statement();
      const answeredMs = performance.now();
      if (answeredMs - askedMs > this.#lateMs) this.#sinceMs = answeredMs;
      this.#sinceMs ??= answeredMs;
      return result;
    } catch (error) {
      this.#sinceMs = null;
      this.#logger.error({ err: error }, `the worker could not ${what}; it will try again`);
      return null;
    }
  }
}
