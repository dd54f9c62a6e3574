/**
 * Reads and writes `_prisma_migrations`, and compares it with the migrations of this version. A start without pending
 * migrations only reads.
 */
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Migration } from './folder.js';

/** The database and the migrations contradict each other, and a person must decide. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface AppliedMigration {
  name: string;
  checksum: string;
  finished: boolean;
}

/**
 * The migrations that were applied or started. Those that were rolled back count as never started. Whether the table
 * exists is read from the catalog: `to_regclass` uses a cache that may be older than the lock just acquired.
 */
export async function readHistory(connection: ClientBase): Promise<AppliedMigration[]> {
  if (!(await hasTable(connection))) return [];
  const { rows } = await connection.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

/** Creates Prisma's own table, so that Prisma's command line can read, mark and continue what this runner did. */
export async function createTable(connection: ClientBase): Promise<void> {
  if (await hasTable(connection)) return;
  await connection.query(
    `CREATE TABLE _prisma_migrations (
       id                  VARCHAR(36) PRIMARY KEY NOT NULL,
       checksum            VARCHAR(64) NOT NULL,
       finished_at         TIMESTAMPTZ,
       migration_name      VARCHAR(255) NOT NULL,
       logs                TEXT,
       rolled_back_at      TIMESTAMPTZ,
       started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
       applied_steps_count INTEGER NOT NULL DEFAULT 0
     )`,
  );
}

/** Records that the migration was applied. Call it within the transaction that applies the migration. */
export async function recordMigration(connection: ClientBase, { name, checksum }: Migration): Promise<void> {
  await connection.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, 1)`,
    [randomUUID(), checksum, name],
  );
}

async function hasTable(connection: ClientBase): Promise<boolean> {
  const { rows } = await connection.query(
    "SELECT 1 FROM pg_class WHERE relname = '_prisma_migrations' AND pg_table_is_visible(oid)",
  );
  return rows.length > 0;
}

/** The pending migrations, oldest first. Throws if history and folder contradict each other. */
export function pendingMigrations(migrations: readonly Migration[], history: readonly AppliedMigration[]): Migration[] {
  for (const applied of history) checkApplied(applied, migrations);
  const names = new Set(history.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/**
 * The migrations of a newer version, with which this one works: it began before them, or somebody went back to it. Throws if one
 * of them needs a newer version, is not finished, or came before all of this version's own.
 */
export function newerMigrations(
  migrations: readonly Migration[],
  history: readonly AppliedMigration[],
  version: string,
): AppliedMigration[] {
  const own = new Set(migrations.map(({ name }) => name));
  const newer = history.filter(({ name }) => !own.has(name));
  for (const applied of newer) {
    if (!applied.finished) throw unfinished(applied);
    const needed = neededVersion(applied.name);
    if (needed !== null && isBefore(version, needed)) throw unknown(applied, `it needs Skein ${needed}`);
  }
  const applied = new Set(history.map(({ name }) => name));
  const [first] = newer;
  if (first && !migrations.every(({ name }) => applied.has(name))) {
    throw unknown(first, 'this version has others that the database lacks');
  }
  return newer;
}

/** The version that a migration needs, as its name says: `20270101000000_drop_model_needs_0_2_0` needs 0.2.0. */
export function neededVersion(name: string): string | null {
  const [, ...numbers] = /_needs_(\d+)_(\d+)_(\d+)$/.exec(name) ?? [];
  return numbers.length === 0 ? null : numbers.join('.');
}

function isBefore(version: string, other: string): boolean {
  const [ours = [], theirs = []] = [version, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const place = ours.findIndex((number, index) => number !== theirs[index]);
  return place >= 0 && (ours[place] ?? 0) < (theirs[place] ?? 0);
}

function checkApplied(applied: AppliedMigration, migrations: readonly Migration[]): void {
  const migration = migrations.find(({ name }) => name === applied.name);
  if (!migration) throw unknown(applied, 'it was used by a newer version');
  if (!applied.finished) throw unfinished(applied);
  if (migration.checksum !== applied.checksum) {
    throw new MigrationError(
      `The migration ${applied.name} was changed after it was applied. Restore the file, and create a new migration for the change.`,
    );
  }
}

function unknown({ name }: AppliedMigration, reason: string): MigrationError {
  return new MigrationError(
    `The database has the migration ${name}, which this version of Skein does not know: ${reason}. ` +
      'Start that version, or use another database.',
  );
}

function unfinished({ name }: AppliedMigration): MigrationError {
  return new MigrationError(
    `The migration ${name} was started by another tool and did not finish. Inspect the database, then mark the migration with ` +
      `"prisma migrate resolve --applied ${name}" or "--rolled-back ${name}".`,
  );
}
