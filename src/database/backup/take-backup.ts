/**
 * Reads the whole database as the text of a backup, while others use it: all rows are those of one snapshot. Migrations wait
 * meanwhile, so the tables stay as the header says.
 */
import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import copy from 'pg-copy-streams';
import { readMigrations, skeinVersion } from '../migrations/folder.js';
import { type AppliedMigration, pendingMigrations, readHistory } from '../migrations/history.js';
import { migrationLock } from '../migrations/migrate.js';
import { BackupError } from './backup-error.js';
import { readSequenceNames, readTables, type Table, target } from './catalog.js';
import { endOfRows, formatName, formatVersion, type Header, type Sequences } from './format.js';
import type { Progress } from './progress.js';
import { RowDigest } from './row-digest.js';
import { explainDatabaseError, openSession, rowsOf, type SessionOptions } from './session.js';

export interface TakeBackupOptions extends SessionOptions {
  onProgress?: Progress | undefined;
}

/** The parts of the text. Whoever stops reading ends the snapshot. */
export async function* takeBackup(options: TakeBackupOptions): AsyncGenerator<Buffer, void, undefined> {
  const { onProgress, signal } = options;
  await using session = await openSession(options);
  const { client } = session;
  try {
    await client.query(`SELECT pg_advisory_lock_shared(${migrationLock})`);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    yield* readSnapshot(client, onProgress);
    await client.query('COMMIT');
  } catch (error) {
    throw explainDatabaseError(error, 'The database could not be read', signal);
  }
}

async function* readSnapshot(client: Client, onProgress: Progress | undefined): AsyncGenerator<Buffer> {
  const all = createHash('sha256');
  const line = (value: object) => {
    const text = Buffer.from(`${JSON.stringify(value)}\n`);
    all.update(text);
    return text;
  };
  const head = await readHeader(client);
  yield line(head);
  for (const table of head.tables) {
    yield line({ table: table.name });
    const digest = new RowDigest();
    yield* readRows(client, table, (part) => {
      digest.update(part);
      onProgress?.(table.name, part.length);
    });
    yield endOfRows;
    yield line(digest.result());
  }
  yield line({ sequences: await readSequences(client, head.tables) });
  yield Buffer.from(`${JSON.stringify({ end: all.digest('hex') })}\n`);
}

/** All rows of a table, each part passed to `onPart` first. */
export async function* readRows(client: Client, table: Table, onPart: (part: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const part of client.query(copy.to(`COPY ${target(table)} TO STDOUT`))) {
    onPart(part as Buffer);
    yield part as Buffer;
  }
}

async function readHeader(client: Client): Promise<Header> {
  const history = await readHistory(client);
  const tables = await readTables(client);
  if (history.length === 0 || tables.length === 0) {
    throw new BackupError(
      'The database has no tables of Skein, so there is nothing to back up. Check DATABASE_URL or DATA_DIR.',
    );
  }
  // Refuses a history that this version does not understand.
  pendingMigrations(await readMigrations(), history);
  const [server] = await rowsOf<{ postgres: string; now: string }>(
    client,
    `SELECT current_setting('server_version') AS postgres, to_json(transaction_timestamp()) AS now`,
  );
  return {
    ...{ format: formatName, version: formatVersion, skein: skeinVersion() },
    ...{ postgres: server?.postgres ?? '', takenAt: server?.now ?? '' },
    migrations: history.toSorted(byName).map(({ name, checksum }) => ({ name, checksum })),
    tables,
  };
}

function byName(one: AppliedMigration, other: AppliedMigration): number {
  return one.name < other.name ? -1 : 1;
}

async function readSequences(client: Client, tables: readonly Table[]): Promise<Sequences> {
  const found: Sequences = [];
  for (const name of await readSequenceNames(client, tables)) {
    const rows = await rowsOf<{ value: string; called: boolean }>(
      client,
      `SELECT last_value::text AS value, is_called AS called FROM public."${name}"`,
    );
    found.push(...rows.map((row) => ({ name, ...row })));
  }
  return found;
}
