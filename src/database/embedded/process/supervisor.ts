import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause } from '../../../platform/async/time-limit.js';
import { type Postmaster, stopPostmaster } from './postmaster.js';

export interface SupervisorOptions {
  postmaster: Postmaster;
  /** Restarts the server; rejects if that fails. */
  restart: () => Promise<Postmaster>;
  logger: Logger;
}

const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** After this time a server counts as healthy, and the delay before its next restart is reset. */
const healthyMs = 10_000;

/** Restarts the server whenever it ends, first immediately, then with growing delays, until `stop` is called. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #postmaster: Postmaster;
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #startedMs = performance.now();
  #delayMs = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#postmaster = options.postmaster;
    this.#finished = this.#watch();
  }

  /** Stops the server for good. May be called more than once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finished;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const stopRequested = once(signal, 'abort');
    while (!signal.aborted) {
      await Promise.race([this.#postmaster.exited, stopRequested]);
      if (!signal.aborted) await this.#bringBack();
    }
    await stopPostmaster(this.#postmaster);
  }

  async #bringBack(): Promise<void> {
    const { logger, restart } = this.#options;
    if (performance.now() - this.#startedMs > healthyMs) this.#delayMs = 0;
    logger.error(
      { pid: this.#postmaster.pid, delayMs: this.#delayMs },
      'PostgreSQL stopped unexpectedly; restarting it',
    );
    while (!this.#stopping.signal.aborted) {
      await pause(this.#delayMs, this.#stopping.signal);
      this.#delayMs = Math.min(Math.max(this.#delayMs * 2, firstDelayMs), longestDelayMs);
      try {
        this.#postmaster = await restart();
        this.#startedMs = performance.now();
        logger.info({ pid: this.#postmaster.pid }, 'PostgreSQL is running again');
        return;
      } catch (error) {
        logger.error({ err: error, delayMs: this.#delayMs }, 'PostgreSQL could not be restarted');
      }
    }
  }
}
