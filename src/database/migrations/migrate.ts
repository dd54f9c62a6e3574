/**
 * Applies pending migrations. Each migration is one transaction together with its row in `_prisma_migrations`, under
 * the advisory lock of Prisma's command line: a killed process leaves nothing behind, and of two nodes that start
 * together, one applies and the other finds nothing to do. A migration therefore cannot contain statements that refuse
 * a transaction, such as CREATE INDEX CONCURRENTLY.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { withinMs } from '../../platform/async/time-limit.js';
import { explainConnection } from '../connection-error.js';
import { type DirectClient, directClient, leadsToPooler } from '../direct-client.js';
import { settleSession } from '../session-settings.js';
import { type Migration, readMigrations, skeinVersion } from './folder.js';
import {
  type AppliedMigration,
  createTable,
  MigrationError,
  newerMigrations,
  pendingMigrations,
  readHistory,
  recordMigration,
} from './history.js';

export interface MigrateOptions {
  /** A direct URL of PostgreSQL: DIRECT_DATABASE_URL if there is a pooler. */
  url: string;
  /** Whether the URL was given as a direct one. Otherwise one that leads to a pooler is refused. Default: false. */
  isDirect?: boolean;
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

/**
 * Applies pending migrations and returns their names. Throws a `MigrationError` if that fails. Those of a new database are one line
 * of the log: whoever starts Skein for the first time looks for how to sign in.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, isDirect = false, logger, folder, lockLimitMs = 120_000, answerLimitMs = 10_000 } = options;
  const migrations = await readMigrations(folder);
  const socket = new Socket();
  const client = directClient({ url, applicationName: 'skein migrate', socket });
  const inTime = within(lockLimitMs + answerLimitMs);
  try {
    await connect(client);
    await inTime(checkServer(client));
    if (!isDirect) await inTime(refusePooler(client));
    await inTime(client.query(settleSession));
    const [newer, pending] = compare(migrations, await inTime(readHistory(client)));
    if (newer.length > 0) logger.warn({ migrations: newer.map(({ name }) => name) }, newerText);
    if (pending.length === 0) return [];
    const isNew = pending.length === migrations.length;
    const applied: string[] = [];
    for (;;) {
      const name = await applyNextAtLast({ client, migrations, lockLimitMs, inTime }, logger);
      if (name === undefined) break;
      logger[isNew ? 'debug' : 'info']({ migration: name }, 'migration applied');
      applied.push(name);
    }
    if (isNew && applied.length > 0)
      logger.info({ migrations: applied.length }, 'the tables of the new database were created');
    return applied;
  } finally {
    await withinMs(500, client.end());
    socket.destroy();
  }
}

const newerText = 'the database was migrated by a newer version; this one works with what it has added';

/** The migrations of a newer version, and those of this one that are pending. Throws a `MigrationError` if they contradict each other. */
function compare(migrations: readonly Migration[], history: readonly AppliedMigration[]) {
  const newer = newerMigrations(migrations, history, skeinVersion());
  const known = history.filter((applied) => !newer.includes(applied));
  return [newer, pendingMigrations(migrations, known)] as const;
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
export async function checkServer(client: pg.Client): Promise<void> {
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

/** Through a pooler, notifications would reach nobody, without any error. */
async function refusePooler(client: DirectClient): Promise<void> {
  if (!(await leadsToPooler(client))) return;
  throw new MigrationError(
    'DATABASE_URL leads to a connection pooler, and Skein also needs sessions of the server itself, for migrations and ' +
      'notifications. Set DIRECT_DATABASE_URL to the address of the server.',
  );
}

/** The advisory lock that Prisma's command line uses. */
export const migrationLock = 72707369;

const lockNotAvailable = '55P03';

interface NextMigration {
  client: pg.Client;
  migrations: readonly Migration[];
  lockLimitMs: number;
  inTime: Await;
}

const deadlockDetected = '40P01';
/** PostgreSQL takes a second to detect a deadlock. */
const mostTries = 30;

/**
 * Applies the oldest pending migration as `applyNext` does, and again where it and a statement of a running node waited for
 * each other's tables: PostgreSQL ends one of the two, and the migration can always be repeated.
 */
async function applyNextAtLast(next: NextMigration, logger: Logger): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyNext(next);
    } catch (error) {
      const cause = error instanceof MigrationError ? error.cause : undefined;
      const isDeadlock = cause instanceof pg.DatabaseError && cause.code === deadlockDetected;
      if (!isDeadlock || tries === mostTries) throw error;
      logger.warn({ tries, mostTries }, 'a migration and a running statement waited for each other; it is tried again');
      await next.inTime(next.client.query('ROLLBACK'));
    }
  }
}

/**
 * Applies the oldest pending migration and returns its name. After an error the transaction stays open: PostgreSQL
 * rolls it back when the caller closes the connection.
 */
async function applyNext({ client, migrations, lockLimitMs, inTime }: NextMigration): Promise<string | undefined> {
  await inTime(client.query('BEGIN'));
  await inTime(client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockLimitMs}`));
  await inTime(lockMigrations(client));
  const [, [next]] = compare(migrations, await inTime(readHistory(client)));
  if (next) await applyMigration(client, next);
  await inTime(client.query('COMMIT'));
  return next?.name;
}

/** Keeps others from migrating until the transaction ends. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
    throw new MigrationError(
      'Another process is migrating this database and has not finished in time. Wait until it has, then start again.',
      { cause: error },
    );
  }
}

/** Without parameters, PostgreSQL executes the whole file as one script, so it is never split at semicolons. */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await createTable(client);
    await client.query(migration.sql);
    await recordMigration(client, migration);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = (error instanceof pg.DatabaseError && remedies[error.code ?? '']) || '';
    throw new MigrationError(`The migration ${migration.name} failed and was rolled back: ${reason}${remedy}`, {
      cause: error,
    });
  }
}

const foreign =
  '. The database seems to belong to another program. Set DATABASE_URL to a database of its own for Skein.';

/** What the operator can do, by the code of the error of PostgreSQL. */
const remedies: Readonly<Record<string, string>> = {
  // Insufficient privilege: since PostgreSQL 15, only the owner of a database may create tables in its schema "public".
  42501: '. Make the user in DATABASE_URL the owner of the database, with ALTER DATABASE name OWNER TO user.',
  // A replica, or a server whose sessions only read.
  25006: '. Set DATABASE_URL to the primary server, which takes writes.',
  // Duplicate table, duplicate function and duplicate object, such as a type.
  '42P07': foreign,
  42723: foreign,
  42710: foreign,
};
