/**
 * Tracks how long the database has responded without interruption: a worker that was disconnected knows nothing about
 * the others. Only a silence counts as an interruption, whether statements failed or came late: in a shorter one no worker
 * loses its lease, and a database that fails every few seconds would keep lost responses waiting for as long as it does.
 */
import type { Logger } from 'pino';
import { RepeatedFailure } from '../../../platform/async/repeated-failure.js';

export class ConnectivityTracker {
  readonly #logger: Logger;
  readonly #silenceMs: number;
  readonly #failures = new Map<string, RepeatedFailure>();
  /** Monotonic times: of the last response, and of the first one after the last silence. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  #sinceMs = Number.POSITIVE_INFINITY;

  /** After more than `silenceMs` without a response, leases may have expired. */
  constructor(logger: Logger, silenceMs: number) {
    this.#logger = logger;
    this.#silenceMs = silenceMs;
  }

  /** Milliseconds from the first response after the last silence to the last response. */
  get lastedMs(): number {
    return this.#answeredMs - this.#sinceMs;
  }

  /** For a process without others, which needs to know nothing about them. */
  assumeAlways(): void {
    this.#answeredMs = performance.now();
    this.#sinceMs = Number.NEGATIVE_INFINITY;
  }

  /** As after a silence: what was known about the others is no longer so. */
  beginAnew(): void {
    this.#answeredMs = performance.now();
    this.#sinceMs = this.#answeredMs;
  }

  /** Runs a statement; null if it fails, which is logged. Never rejects. */
  async attempt<T>(what: string, statement: () => Promise<T>): Promise<T | null> {
    try {
      const result = await statement();
      const nowMs = performance.now();
      if (nowMs - this.#answeredMs > this.#silenceMs) this.#sinceMs = nowMs;
      this.#answeredMs = nowMs;
      return result;
    } catch (error) {
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
