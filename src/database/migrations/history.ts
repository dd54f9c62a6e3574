/**
 * What `_prisma_migrations` says about the migrations of this version of Skein. It is read with plain SQL, so that a normal
 * start, with nothing to do, costs one query.
 */
import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type { Migration } from './folder.js';

/** The database and the migrations do not fit together, and a person has to decide. The message says what is wrong. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface AppliedMigration {
  name: string;
  checksum: string;
  finished: boolean;
}

/**
 * The migrations that were applied, or begun. Those that were rolled back count as never begun. Whether the table exists is read
 * from the catalog's rows: `to_regclass` answers from a cache that may be older than the lock that was just waited for.
 */
export async function readHistory(connection: SqlQueryable): Promise<AppliedMigration[]> {
  const table = await connection.queryRaw(
    plain("SELECT 1 FROM pg_class WHERE relname = '_prisma_migrations' AND pg_table_is_visible(oid)"),
  );
  if (table.rows.length === 0) return [];
  const { rows } = await connection.queryRaw(
    plain(
      `SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    ),
  );
  return rows.map(([name, checksum, finished]) => ({
    name: String(name),
    checksum: String(checksum),
    finished: finished === true,
  }));
}

/** The migrations that are still to be applied, oldest first. Throws where history and folder contradict each other. */
export function pendingMigrations(migrations: readonly Migration[], history: readonly AppliedMigration[]): Migration[] {
  for (const applied of history) {
    const migration = migrations.find(({ name }) => name === applied.name);
    if (!migration) {
      throw new MigrationError(
        `The database has the migration ${applied.name}, which this version of Skein does not know: a newer version has used it. ` +
          'Start that version, or use another database.',
      );
    }
    if (!applied.finished) {
      throw new MigrationError(
        `The migration ${applied.name} was begun by another tool and did not finish. Look at the database, then mark it with ` +
          `"prisma migrate resolve --applied ${applied.name}" or "--rolled-back ${applied.name}".`,
      );
    }
    if (migration.checksum !== applied.checksum) {
      throw new MigrationError(
        `The migration ${applied.name} was changed after it was applied. Restore the file, and make a new migration for the change.`,
      );
    }
  }
  const names = new Set(history.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/** A statement without parameters, in the adapter's form. */
export function plain(sql: string): { sql: string; args: []; argTypes: [] } {
  return { sql, args: [], argTypes: [] };
}
