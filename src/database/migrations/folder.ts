import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';

/** One folder of `prisma/migrations`. */
export interface Migration {
  /** The folder's name; names sort in the order in which migrations are applied. */
  name: string;
  sql: string;
  /** SHA-256 of the SQL in hexadecimal, as Prisma stores it in `_prisma_migrations`. */
  checksum: string;
}

/**
 * The folder of the Prisma schema, found beside Skein's package.json above this file: the same for the sources and the
 * compiled program, whatever the working directory is.
 */
export function prismaFolder(): string {
  return join(skeinPackage().folder, 'prisma');
}

/** The version of this program, as its package.json says. */
export function skeinVersion(): string {
  return skeinPackage().version;
}

function skeinPackage(): { folder: string; version: string } {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const { name, version } = readPackage(folder);
    if (name === 'skein') return { folder, version: String(version) };
  }
  throw new Error(`No package.json of Skein was found above ${import.meta.dirname}`);
}

/** The migrations of a folder, oldest first. */
export async function readMigrations(folder: string = join(prismaFolder(), 'migrations')): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function readPackage(folder: string): { name?: unknown; version?: unknown } {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; version?: unknown };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}
