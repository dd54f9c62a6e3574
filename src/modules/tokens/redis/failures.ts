import type { Logger } from 'pino';

const quietMs = 10_000;

/** Redis fails many times a second while it is away: all of it is counted, and one line in ten seconds is logged. */
export class RedisFailures {
  /** Appends that did not arrive, since the start of the process. */
  failedAppends = 0;
  readonly #logger: Logger;
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;
  #isDown = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  report(error: unknown): void {
    this.#unlogged += 1;
    if (performance.now() < this.#quietUntilMs) return;
    this.#quietUntilMs = performance.now() + quietMs;
    const failures = this.#unlogged;
    this.#unlogged = 0;
    this.#isDown = true;
    this.#logger.warn({ err: error, failures }, 'Redis is failing; viewers on other nodes receive text late');
  }

  recovered(): void {
    if (this.#isDown) this.#logger.info('Redis is working again');
    this.#isDown = false;
  }
}
