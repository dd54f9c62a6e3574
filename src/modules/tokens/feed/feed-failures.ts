import type { Logger } from 'pino';
import { RepeatedFailure } from '../../../platform/async/repeated-failure.js';

/** What the driver of Redis says of a command while it has no connection. Why it has none, the connection itself reports. */
const consequence = /^Stream isn't writeable/;

/** Counts failures of a store, and logs when it begins to fail and when it works again. */
export class FeedFailures {
  /** Failed batches since the start of the process. */
  failedBatches = 0;
  readonly #logger: Logger;
  readonly #store: string;
  readonly #repeated = new RepeatedFailure();
  #isDown = false;
  #isClosed = false;

  constructor(logger: Logger, store: string) {
    this.#logger = logger;
    this.#store = store;
  }

  report(error: unknown): void {
    if (this.#isClosed) return;
    this.#isDown = true;
    if (error instanceof Error && consequence.test(error.message)) return;
    this.#repeated.report(error, (fields) =>
      this.#logger.warn(fields, `${this.#store} is failing; viewers on other nodes receive text late`),
    );
  }

  recovered(): void {
    if (this.#isDown) this.#logger.info(`${this.#store} is working again`);
    this.#isDown = false;
  }

  /** From now on, whatever fails does so because this process leaves the store. */
  close(): void {
    this.#isClosed = true;
  }
}
