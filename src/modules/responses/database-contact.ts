/** How long the database has answered every statement: a worker that was out of contact knows nothing of the others. */
import type { Logger } from 'pino';

export class DatabaseContact {
  readonly #logger: Logger;
  /** Monotonic; null after a statement that was not answered. */
  #sinceMs: number | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Milliseconds since the first answer after the last failure; 0 where there is no contact. */
  get lastedMs(): number {
    return this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
  }

  /** For a process that has the database to itself: there are no others to know of. */
  assumeAlways(): void {
    this.#sinceMs = Number.NEGATIVE_INFINITY;
  }

  /** The result of a statement; null, and a line in the log, where it failed. Never rejects. */
  async attempt<T>(what: string, statement: () => Promise<T>): Promise<T | null> {
    try {
      const result = await statement();
      this.#sinceMs ??= performance.now();
      return result;
    } catch (error) {
      this.#sinceMs = null;
      this.#logger.error({ err: error }, `the worker could not ${what}; it will try again`);
      return null;
    }
  }
}
