import type { Logger } from 'pino';

const quietMs = 10_000;

/** Counts failures of a store, which occur many times per second during an outage, and logs at most one every ten seconds. */
export class FeedFailures {
  /** Failed batches since the start of the process. */
  failedBatches = 0;
  readonly #logger: Logger;
  readonly #store: string;
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;
  #isDown = false;

  constructor(logger: Logger, store: string) {
    this.#logger = logger;
    this.#store = store;
  }

  report(error: unknown): void {
    this.#unlogged += 1;
    if (performance.now() < this.#quietUntilMs) return;
    this.#quietUntilMs = performance.now() + quietMs;
    const failures = this.#unlogged;
    this.#unlogged = 0;
    this.#isDown = true;
    this.#logger.warn({ err: error, failures }, `${this.#store} is failing; viewers on other nodes receive text late`);
  }

  recovered(): void {
    if (this.#isDown) this.#logger.info(`${this.#store} is working again`);
    this.#isDown = false;
  }
}
