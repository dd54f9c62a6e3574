/**
 * Tracks how long the database has responded without interruption: a worker that was disconnected knows nothing about
 * the others. A late response counts as an interruption, because its cause (a frozen server, a network) delayed the
 * heartbeats of others too.
 */
import type { Logger } from 'pino';
import { RepeatedFailure } from '../../../platform/async/repeated-failure.js';

export class ConnectivityTracker {
  readonly #logger: Logger;
  readonly #lateMs: number;
  readonly #failures = new Map<string, RepeatedFailure>();
  /** Monotonic time; null after a failed statement. */
  #sinceMs: number | null = null;

  /** A response slower than `lateMs` follows a silence in which leases may have expired. */
  constructor(logger: Logger, lateMs: number) {
    this.#logger = logger;
    this.#lateMs = lateMs;
  }

  /** Milliseconds since the first response after the last interruption; 0 while disconnected. */
  get lastedMs(): number {
    return this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
  }

  /** For a process without others, which needs to know nothing about them. */
  assumeAlways(): void {
    this.#sinceMs = Number.NEGATIVE_INFINITY;
  }

  /** Runs a statement; null if it fails, which is logged. Never rejects. */
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
      this.#report(what, error);
      return null;
    }
  }

  #report(what: string, error: unknown): void {
    const repeated = this.#failures.get(what) ?? new RepeatedFailure();
    this.#failures.set(what, repeated);
    repeated.report(error, (fields) => this.#logger.error(fields, `the worker could not ${what}; it will try again`));
  }
}
