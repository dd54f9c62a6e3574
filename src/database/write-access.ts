/**
 * Whether the database takes writes. Reads go on when its disk is full or it is read-only, as after a failover, so only
 * statements that write can tell: from the first one that fails for it until something could be written again.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';

/** By the code of PostgreSQL's error. */
const refusals = new Map([
  ['53100', 'the disk of the database is full: nothing can be stored until there is room'],
  ['25006', 'the database is read-only: nothing can be stored until it takes writes again'],
]);

export class WriteAccess {
  readonly #logger: Logger;
  #isRefused = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Notes the errors of all connections of the pool. */
  watch(pool: pg.Pool): void {
    pool.on('connect', ({ connection }) => {
      connection.on('errorMessage', ({ code = '' }: { code?: string }) => this.#note(refusals.get(code)));
    });
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Writes a megabyte that nobody keeps. Rejects while it is refused. */
  async tryToWrite(database: PrismaClient): Promise<void> {
    await database.$executeRaw`CREATE TEMP TABLE room_to_write ON COMMIT DROP AS
      SELECT repeat('x', 1000) AS filling FROM generate_series(1, 1000)`;
    this.#isRefused = false;
    this.#logger.info('the database takes writes again');
  }

  #note(refusal: string | undefined): void {
    if (this.#isRefused || !refusal) return;
    this.#isRefused = true;
    this.#logger.error(refusal);
  }
}
