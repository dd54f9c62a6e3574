/**
 * Makes the search vectors of old rows again in the background, from the start of the process until nothing is left, and tells
 * in the log how far it is. It rests for as long as each batch took, so that at most half of a connection's time goes to it. Of
 * several processes one works on a table; another takes over when that one ends.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { type BatchLimits, type Rebuild, rebuildSome } from '../modules/threads/list/rebuild-search.js';
import { pause } from '../platform/async/time-limit.js';

export interface SearchRebuildOptions {
  database: PrismaClient;
  logger: Logger;
  batch?: BatchLimits;
  /** When to look again if another process works, a row is being changed for long, or the database failed. */
  retryMs?: number;
  /** The interval at which the log tells how far it is. */
  reportMs?: number;
}

export class SearchRebuild {
  readonly #options: SearchRebuildOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #reportedMs = performance.now();

  constructor(options: SearchRebuildOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when nothing is left, or after `stop`. */
  get ended(): Promise<void> {
    return this.#running;
  }

  /** Stops after the current batch; the next process goes on from there. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs: number | null = 0; waitMs !== null; waitMs = await this.#step()) await pause(waitMs, signal);
  }

  /** Does one batch. Returns when to do the next, in milliseconds; null: never. */
  async #step(): Promise<number | null> {
    if (this.#stopping.signal.aborted) return null;
    const { database, logger, batch, retryMs = 60_000 } = this.#options;
    const startedMs = performance.now();
    try {
      const outcome = await rebuildSome(database, batch);
      if (outcome === 'finished') {
        logger.debug('the index of words is complete');
        return null;
      }
      if (outcome === 'busy') return retryMs;
      this.#report(outcome);
      return outcome.isWaiting ? retryMs : performance.now() - startedMs;
    } catch (error) {
      logger.warn({ err: error }, 'the index of words could not be made again; retrying later');
      return retryMs;
    }
  }

  #report({ table, rows, of, isFinished }: Rebuild): void {
    const { logger, reportMs = 10_000 } = this.#options;
    if (isFinished) {
      if (rows > 0) logger.info({ table, rows }, 'the index of words was made again');
      return;
    }
    if (performance.now() - this.#reportedMs < reportMs) return;
    this.#reportedMs = performance.now();
    const share = `${Math.floor((100 * rows) / Math.max(of, 1))} %`;
    logger.info({ table, rows, of, share }, 'making the index of words again; searches go on');
  }
}
