/**
 * Brings the database to the schema of this version. Each migration is one transaction together with its row in
 * `_prisma_migrations`, under the advisory lock that Prisma's command line takes too: a process that is killed in the middle leaves
 * nothing behind, and of two nodes that start together one applies and the other finds nothing to do. So a migration cannot hold
 * statements that refuse a transaction, such as CREATE INDEX CONCURRENTLY.
 */
import { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { isDriverAdapterError, type SqlDriverAdapter, type Transaction } from '@prisma/driver-adapter-utils';
import type { Logger } from 'pino';
import { withinMs } from '../../async/time-limit.js';
import { type Migration, readMigrations } from './folder.js';
import { MigrationError, pendingMigrations, plain, readHistory } from './history.js';
import { migrationList, noFilters, withSchemaEngine } from './schema-engine.js';

export interface MigrateOptions {
  /** Straight to PostgreSQL: DIRECT_DATABASE_URL where there is a pooler. */
  url: string;
  logger: Logger;
  /** The folder of the migrations; `prisma/migrations` of Skein where it is not given. */
  folder?: string;
  /** How long to wait for another process that is migrating, and for each lock on a table. */
  lockLimitMs?: number;
  /**
   * How long an answer may take beyond that. A migration itself has no limit, since no one knows how long a large table
   * takes; where the network swallows everything meanwhile, the system notices after some minutes (TCP keepalive).
   */
  answerLimitMs?: number;
}

/** Waits for an answer of the database; throws a `MigrationError` where it does not come in time. */
type Await = <T>(answer: Promise<T>) => Promise<T>;

/** Applies what is missing and returns the names of what it applied. Throws a `MigrationError` where that cannot be done. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, logger, folder, lockLimitMs = 120_000, answerLimitMs = 10_000 } = options;
  const migrations = await readMigrations(folder);
  // Our own, so that a connection whose peer is gone can be closed: its goodbye would wait for an answer.
  const sockets: Socket[] = [];
  const factory = new PrismaPg({
    connectionString: url,
    application_name: 'skein migrate',
    max: 1,
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockLimitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => sockets[sockets.push(new Socket()) - 1],
  });
  const inTime = within(lockLimitMs + answerLimitMs);
  const adapter = await factory.connect();
  try {
    await inTime(checkServer(adapter));
    if (pendingMigrations(migrations, await inTime(readHistory(adapter))).length === 0) return [];
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(adapter, migrations, inTime);
      if (name === undefined) return applied;
      logger.info({ migration: name }, 'migration applied');
      applied.push(name);
    }
  } finally {
    await withinMs(500, adapter.dispose());
    for (const socket of sockets) socket.destroy();
  }
}

function within(limitMs: number): Await {
  return async (answer) => {
    const answered = await withinMs(
      limitMs,
      answer.then((value) => ({ value })),
    );
    if (answered) return answered.value;
    const message = `The database did not answer for ${limitMs / 1000} s. See that it works and can be reached, then start again.`;
    throw new MigrationError(message);
  };
}

/** The functions of the migrations need PostgreSQL 15 and Unicode. */
async function checkServer(adapter: SqlDriverAdapter): Promise<void> {
  const { rows } = await adapter.queryRaw(
    plain(
      "SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding')",
    ),
  );
  const [number, version, encoding] = rows[0] ?? [];
  if (Number(number) < 150_000)
    throw new MigrationError(`The database is PostgreSQL ${version}; Skein needs 15 or newer.`);
  if (encoding !== 'UTF8') {
    throw new MigrationError(`The database is encoded in ${encoding}; create one with ENCODING 'UTF8' and use that.`);
  }
}

/** The number that Prisma's command line locks, too. */
const advisoryLock = 72707369;

const lockNotAvailable = '55P03';

/**
 * Applies the oldest migration that is missing, and returns its name. After an error the transaction is left open: PostgreSQL
 * undoes it when the connection closes, which is what the caller does next.
 */
async function applyNext(
  adapter: SqlDriverAdapter,
  migrations: readonly Migration[],
  inTime: Await,
): Promise<string | undefined> {
  const transaction = await inTime(adapter.startTransaction());
  try {
    await inTime(transaction.executeRaw(plain('SET LOCAL statement_timeout = 0')));
    await inTime(lock(transaction));
    const [next] = pendingMigrations(migrations, await inTime(readHistory(transaction)));
    if (next) await apply(transaction, migrations.slice(0, migrations.indexOf(next) + 1));
    await inTime(transaction.executeRaw(plain('COMMIT')));
    return next?.name;
  } finally {
    await transaction.commit();
  }
}

async function lock(transaction: Transaction): Promise<void> {
  try {
    await transaction.executeRaw(plain(`SELECT pg_advisory_xact_lock(${advisoryLock})`));
  } catch (error) {
    if (!isDriverAdapterError(error) || !('code' in error.cause) || error.cause.code !== lockNotAvailable) throw error;
    throw new MigrationError(
      'Another process has been migrating this database for too long. Wait until it has ended, then start again.',
      {
        cause: error,
      },
    );
  }
}

async function apply(transaction: Transaction, migrations: readonly Migration[]): Promise<void> {
  try {
    await withSchemaEngine(transaction, (engine) =>
      engine.applyMigrations({ migrationsList: migrationList(migrations), filters: noFilters }),
    );
  } catch (error) {
    throw new MigrationError(
      `The migration ${migrations.at(-1)?.name} failed, and the database is as it was before it: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** PostgreSQL's own words, which the adapter keeps apart from its classification. */
function reasonOf(error: unknown): string {
  if (isDriverAdapterError(error)) return error.cause.originalMessage ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
