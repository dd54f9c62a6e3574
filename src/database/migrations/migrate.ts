/**
 * Applies pending migrations. Each migration is one transaction together with its row in `_prisma_migrations`, under
 * the advisory lock of Prisma's command line: a killed process leaves nothing behind, and of two nodes that start
 * together, one applies and the other finds nothing to do. A migration therefore cannot contain statements that refuse
 * a transaction, such as CREATE INDEX CONCURRENTLY.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { withinMs } from '../../async/time-limit.js';
import { explainConnection } from '../connection-error.js';
import { type Migration, readMigrations } from './folder.js';
import { createTable, MigrationError, pendingMigrations, readHistory, recordMigration } from './history.js';

export interface MigrateOptions {
  /** A direct URL of PostgreSQL: DIRECT_DATABASE_URL if there is a pooler. */
  url: string;
  logger: Logger;
  /** The folder of the migrations. Default: `prisma/migrations` of Skein. */
  folder?: string;
  /** How long to wait for another process that is migrating, and for each lock on a table. */
  lockLimitMs?: number;
  /**
   * Additional timeout for a response. A migration itself has no timeout, since a large table may take any time; if the
   * network fails meanwhile, TCP keepalive notices after some minutes.
   */
  answerLimitMs?: number;
}

/** Waits for a response of the database; throws a `MigrationError` after the timeout. */
type Await = <T>(answer: Promise<T>) => Promise<T>;

/** Applies pending migrations and returns their names. Throws a `MigrationError` if that fails. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, logger, folder, lockLimitMs = 120_000, answerLimitMs = 10_000 } = options;
  const migrations = await readMigrations(folder);
  // A socket of our own, so that a connection to a dead peer can be closed without waiting for a response.
  const socket = new Socket();
  const client = createClient(url, lockLimitMs, socket);
  const inTime = within(lockLimitMs + answerLimitMs);
  try {
    await connect(client);
    await inTime(checkServer(client));
    if (pendingMigrations(migrations, await inTime(readHistory(client))).length === 0) return [];
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations, inTime);
      if (name === undefined) return applied;
      logger.info({ migration: name }, 'migration applied');
      applied.push(name);
    }
  } finally {
    await withinMs(500, client.end());
    socket.destroy();
  }
}

function createClient(url: string, lockLimitMs: number, socket: Socket): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'skein migrate',
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockLimitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socket,
  });
  // A connection that breaks between two queries fails the next one; without a handler it would end the process.
  client.on('error', () => undefined);
  return client;
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw explainConnection(error, client);
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
async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding`,
  );
  const { number = 0, version = 'unknown', encoding = 'unknown' } = rows[0] ?? {};
  if (number < 150_000) throw new MigrationError(`The database is PostgreSQL ${version}; Skein needs 15 or newer.`);
  if (encoding !== 'UTF8') {
    throw new MigrationError(
      `The encoding of the database is ${encoding}. Create a database with ENCODING 'UTF8' and use that.`,
    );
  }
}

/** The advisory lock that Prisma's command line uses. */
const advisoryLock = 72707369;

const lockNotAvailable = '55P03';

/**
 * Applies the oldest pending migration and returns its name. After an error the transaction stays open: PostgreSQL
 * rolls it back when the caller closes the connection.
 */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  inTime: Await,
): Promise<string | undefined> {
  await inTime(client.query('BEGIN'));
  await inTime(client.query('SET LOCAL statement_timeout = 0'));
  await inTime(lock(client));
  const [next] = pendingMigrations(migrations, await inTime(readHistory(client)));
  if (next) await apply(client, next);
  await inTime(client.query('COMMIT'));
  return next?.name;
}

async function lock(client: pg.Client): Promise<void> {
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${advisoryLock})`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
    throw new MigrationError(
      'Another process is migrating this database and has not finished in time. Wait until it has, then start again.',
      { cause: error },
    );
  }
}

/** Without parameters, PostgreSQL executes the whole file as one script, so it is never split at semicolons. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await createTable(client);
    await client.query(migration.sql);
    await recordMigration(client, migration);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`The migration ${migration.name} failed and was rolled back: ${reason}`, { cause: error });
  }
}
