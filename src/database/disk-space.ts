/**
 * Whether the database has room to write. Reads go on when its disk is full, so only statements that write can tell: from
 * the first one that fails for it, the disk counts as full, until something could be written again.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';

/** The code of PostgreSQL's error. */
const diskFull = '53100';

export class DiskSpace {
  readonly #logger: Logger;
  #isFull = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Notes the errors of all connections of the pool. */
  watch(pool: pg.Pool): void {
    pool.on('connect', ({ connection }) => {
      connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === diskFull) this.#note();
      });
    });
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Writes a megabyte that nobody keeps. Rejects while there is no room for it. */
  async tryToWrite(database: PrismaClient): Promise<void> {
    await database.$executeRaw`CREATE TEMP TABLE room_to_write ON COMMIT DROP AS
      SELECT repeat('x', 1000) AS filling FROM generate_series(1, 1000)`;
    this.#isFull = false;
    this.#logger.info('the disk of the database has room again');
  }

  #note(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#logger.error('the disk of the database is full: nothing can be stored until there is room');
  }
}
