/** A data directory that another major version of PostgreSQL made is copied at a start, and lost at no point of it. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../../src/database/backup/copy-database.js';
import { leftOutTables } from '../../../src/database/backup/tables.js';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { migrate } from '../../../src/database/migrations/migrate.js';
import { dataDirectory } from '../../cli/program.js';
import { installedBinDir } from '../../support/database/installed-postgres.js';
import { summaryOf } from '../../support/database/table-summary.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { stage } from '../copies/sample.js';

if (!installedBinDir) console.warn('Skipped: the programs of a PostgreSQL server (postgresql-15) are not installed.');

let dataDir: string;

type Binaries = { binDir?: string | undefined; oldBinDir?: string | undefined };

async function onServer<T>(binaries: Binaries, work: (url: string) => Promise<T>): Promise<T> {
  const { binDir, oldBinDir } = binaries;
  const upgrade = oldBinDir === undefined ? undefined : { oldBinDir, copy: copyDatabase };
  const server = await startEmbeddedServer({ dataDir, logger, binDir, upgrade });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

function contents(url: string): Promise<Record<string, string>> {
  return summaryOf(url, Object.keys(leftOutTables));
}

/** A data directory of the older version; returns what it has: rows in every kind of table. */
function makeOld(): Promise<Record<string, string>> {
  return onServer({ binDir: installedBinDir }, async (url) => {
    await migrate({ url, logger });
    await stage(url);
    return contents(url);
  });
}

async function majorOf(folder: string): Promise<number> {
  return Number(await readFile(join(dataDir, folder, 'PG_VERSION'), 'utf8'));
}

describe.skipIf(!installedBinDir)('a cluster of another major version', () => {
  const upgrade: Binaries = { oldBinDir: installedBinDir };
  let original: string;
  /** What it has. */
  let old: Record<string, string>;
  beforeAll(async () => {
    const made = await dataDirectory();
    original = dataDir = made.path;
    old = await makeOld();
    return () => made.remove();
  });
  beforeEach(async () => {
    const copy = await dataDirectory();
    dataDir = copy.path;
    await promisify(execFile)('cp', ['-a', original, dataDir]);
    return () => copy.remove();
  });

  it('is copied at a start, also after one that was killed at any point, and the old one is kept as it was', async () => {
    const major = await majorOf('postgres');
    const path = (name: string) => join(dataDir, name);
    // While it was copied; and complete, but the old files were used again since.
    await mkdir(join(path('upgrade'), 'postgres'), { recursive: true });
    await writeFile(join(path('upgrade'), 'postgres', 'half'), '');
    await mkdir(path('postgres.upgraded'));
    await writeFile(join(path('postgres.upgraded'), 'PG_VERSION'), '18\n');
    expect(await onServer(upgrade, contents)).toEqual(old);
    expect(await majorOf('postgres')).toBeGreaterThan(major);
    expect(await majorOf(`postgres-${major}`)).toBe(major);
    // Between the two renames.
    await rename(path('postgres'), path('postgres.upgraded'));
    expect(await onServer({}, contents)).toEqual(old);
    expect(await majorOf(`postgres-${major}`)).toBe(major);
    await rm(path('postgres'), { recursive: true });
    await rename(path(`postgres-${major}`), path('postgres'));
    expect(await onServer({ binDir: installedBinDir }, contents)).toEqual(old);
  });

  it('stays as it was without the old programs, with those of yet another version, and if its copy fails', async () => {
    const start = (binaries: Binaries) => onServer(binaries, contents);
    await expect(start({})).rejects.toThrow(
      /Set OLD_PG_BIN_DIR to the programs of PostgreSQL \d+, and the service copies/,
    );
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    const made = await readFile(version, 'utf8');
    await writeFile(version, '14\n');
    await expect(start(upgrade)).rejects.toThrow(/^OLD_PG_BIN_DIR is .* Set it to the programs of PostgreSQL 14\.$/);
    await writeFile(version, made);
    const place = join(dataDir, `postgres-${Number(made)}`);
    await mkdir(place);
    await expect(start(upgrade)).rejects.toThrow(/exists already, and the old files would go there/);
    await rm(place, { recursive: true });
    // A history that this version refuses to read.
    const later = `INSERT INTO service_secret VALUES ('later', 'x')`;
    const unknown = `UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name LIKE '%_init'`;
    const changed = await onServer({ binDir: installedBinDir }, async (url) => {
      expect(await contents(url)).toEqual(old);
      await runSql(url, later, unknown);
      return contents(url);
    });
    await expect(start(upgrade)).rejects.toThrow('_init was changed after it was applied');
    expect(await start({ binDir: installedBinDir })).toEqual(changed);
  });
});
