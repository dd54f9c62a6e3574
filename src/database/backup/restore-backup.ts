/**
 * Loads the text of a backup into a database without rows, in one transaction: either everything is there as it was, or nothing was
 * changed. Rows are loaded into the tables of the version that made the backup, and then migrated like any older database. The
 * rules that triggers keep were kept when the rows were written, so triggers are off meanwhile; foreign keys are checked once for
 * all rows. An ordinary owner of the tables may do all of this.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import copy from 'pg-copy-streams';
import { type Migration, readMigrations } from '../migrations/folder.js';
import { readHistory } from '../migrations/history.js';
import { applyMigration, checkServer, lockMigrations } from '../migrations/migrate.js';
import { BackupError } from './backup-error.js';
import { BackupReader, damaged } from './backup-reader.js';
import { readSequenceNames, readTables, type Table, target } from './catalog.js';
import type { Header, TableEnd } from './format.js';
import type { Progress } from './progress.js';
import { RowDigest } from './row-digest.js';
import { explainDatabaseError, openSession, rowsOf, type SessionOptions } from './session.js';
import { readRows } from './take-backup.js';

export interface RestoreOptions extends SessionOptions {
  /** The text of the backup. */
  parts: AsyncIterable<Buffer>;
  onProgress?: Progress | undefined;
}

export interface Restored {
  tables: number;
  rows: number;
  /** The migrations that the backup did not have yet. */
  migrated: number;
  /** Threads whose state contradicts their response, which the worker of the service repairs. */
  impossiblePairs: number;
}

export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { parts, onProgress, signal } = options;
  await using session = await openSession(options);
  const { client } = session;
  await checkServer(client);
  const reader = new BackupReader(parts);
  const header = await reader.header();
  const { before, after } = splitMigrations(await readMigrations(), header);
  try {
    await client.query('BEGIN');
    await lockMigrations(client);
    await requireEmpty(client, header);
    await apply(client, before);
    const rows = await loadAll(client, { reader, header, onProgress });
    await apply(client, after);
    const [found] = await rowsOf<{ pairs: number }>(
      client,
      'SELECT count(*)::int AS pairs FROM public.impossible_pair',
    );
    await client.query('ANALYZE');
    await client.query('COMMIT');
    return { tables: header.tables.length, rows, migrated: after.length, impossiblePairs: found?.pairs ?? 0 };
  } catch (error) {
    throw explainDatabaseError(error, 'The backup could not be restored, and nothing was changed', signal);
  }
}

/** The migrations that the backup was made with, and those that came later. Throws if this version cannot read the backup. */
export function splitMigrations(
  migrations: readonly Migration[],
  header: Header,
): { before: Migration[]; after: Migration[] } {
  const checksums = new Map(header.migrations.map(({ name, checksum }) => [name, checksum]));
  const before = migrations.filter(({ name }) => checksums.has(name));
  const known = new Set(before.map(({ name }) => name));
  const unknown = header.migrations.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new BackupError(
      `The backup was made by Skein ${header.skein}, which has the migration ${unknown.name}. This version does not know it. ` +
        'Restore with that version or a newer one.',
    );
  }
  const changed = before.find(({ name, checksum }) => checksums.get(name) !== checksum);
  if (changed) {
    throw new BackupError(
      `The migration ${changed.name} of the backup is not that of this version. Restore with the version that made the backup, ` +
        `Skein ${header.skein}.`,
    );
  }
  return { before, after: migrations.filter(({ name }) => !known.has(name)) };
}

/** Nobody can add rows after this: the tables that exist are locked, and the others belong to this transaction. */
async function requireEmpty(client: Client, header: Header): Promise<void> {
  const known = new Set(header.migrations.map(({ name }) => name));
  for (const { name } of await readTables(client)) {
    await client.query(`LOCK TABLE public."${name}" IN ACCESS EXCLUSIVE MODE`);
    const rows = await rowsOf(client, `SELECT FROM public."${name}" LIMIT 1`);
    if (rows.length > 0) {
      throw new BackupError(
        `The database is not empty: "${name}" has rows. Nothing was changed. Restore into an empty database, or with an empty DATA_DIR.`,
      );
    }
  }
  const newer = (await readHistory(client)).find(({ name }) => !known.has(name));
  if (!newer) return;
  throw new BackupError(
    `The database has the migration ${newer.name}, and the backup is older. Nothing was changed. Restore into a database without ` +
      'tables: Skein makes them, and migrates what it has loaded.',
  );
}

async function apply(client: Client, migrations: readonly Migration[]): Promise<void> {
  const applied = new Set((await readHistory(client)).map(({ name }) => name));
  for (const migration of migrations) if (!applied.has(migration.name)) await applyMigration(client, migration);
}

interface Source {
  reader: BackupReader;
  header: Header;
  onProgress: Progress | undefined;
}

/** Loads all tables, and reads them back. Returns the number of rows. */
async function loadAll(client: Client, { reader, header, onProgress }: Source): Promise<number> {
  const tables = await readTables(client);
  requireSameColumns(tables, header.tables);
  const foreignKeys = await readForeignKeys(client, tables);
  for (const { table, name } of foreignKeys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  let rows = 0;
  for (const table of header.tables) {
    await client.query(`ALTER TABLE public."${table.name}" DISABLE TRIGGER USER`);
    const loaded = await load(client, { reader, table, onProgress });
    await checkLoaded(client, table, loaded);
    rows += loaded.rows;
  }
  await setSequences(client, reader, tables);
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`);
  }
  for (const { name } of header.tables) await client.query(`ALTER TABLE public."${name}" ENABLE TRIGGER USER`);
  return rows;
}

function requireSameColumns(actual: readonly Table[], expected: readonly Table[]): void {
  const textOf = (tables: readonly Table[]) =>
    tables.map(({ name, columns }) => `${name}(${columns.toSorted().join()})`).toSorted();
  const [has, needs] = [textOf(actual), textOf(expected)];
  const odd = [...has.filter((text) => !needs.includes(text)), ...needs.filter((text) => !has.includes(text))];
  if (odd.length > 0) throw damaged(`it has other tables than its migrations make: ${odd.join(', ')}`);
}

function readForeignKeys(
  client: Client,
  tables: readonly Table[],
): Promise<{ table: string; name: string; definition: string }[]> {
  return rowsOf(
    client,
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY(SELECT ('public.' || quote_ident(name))::regclass FROM unnest($1::text[]) AS name)`,
    [tables.map(({ name }) => name)],
  );
}

async function load(
  client: Client,
  { reader, table, onProgress }: { reader: BackupReader; table: Table; onProgress: Progress | undefined },
): Promise<TableEnd> {
  const rows = reader.rows(table.name);
  let end: TableEnd | undefined;
  const parts = async function* () {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) {
        end = value;
        return;
      }
      onProgress?.(table.name, value.length);
      yield value;
    }
  };
  await pipeline(
    Readable.from(parts(), { objectMode: false }),
    client.query(copy.from(`COPY ${target(table)} FROM STDIN`)),
  );
  if (!end) throw damaged(`the rows of "${table.name}" do not end`);
  return end;
}

/** What the database has now is what was written to the backup, whatever the two versions of PostgreSQL are. */
async function checkLoaded(client: Client, table: Table, expected: TableEnd): Promise<void> {
  const digest = new RowDigest();
  const reading = readRows(client, table, (part) => digest.update(part));
  while (!(await reading.next()).done);
  const { rows, digest: actual } = digest.result();
  if (rows === expected.rows && actual === expected.digest) return;
  throw new BackupError(
    `The database does not return the rows of "${table.name}" as they are in the backup: ${rows} rows in place of ${expected.rows}, or ` +
      'with other values. Nothing was changed.',
  );
}

async function setSequences(client: Client, reader: BackupReader, tables: readonly Table[]): Promise<void> {
  const names = await readSequenceNames(client, tables);
  for (const { name, value, called } of await reader.sequences()) {
    if (!names.includes(name)) throw damaged(`its migrations make no sequence "${name}"`);
    await client.query('SELECT setval($1::regclass, $2, $3)', [`public."${name}"`, value, called]);
  }
}
