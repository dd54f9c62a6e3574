/**
 * Creates the cluster, the directory that a PostgreSQL server serves. It is built under another name and then renamed,
 * so an interrupted start never leaves an incomplete cluster.
 */
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { hasCode } from '../../platform/files/system-error.js';
import type { Binaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import { runProgram } from './process/run-program.js';
import { giveTo } from './process/unprivileged.js';
import { databaseRole } from './server-session.js';
import { DatabaseStartError, explainStartFailure } from './start-error.js';

/** Creates the cluster if there is none, and checks that these binaries can open it. */
export async function prepareCluster(directory: DataDirectory, binaries: Binaries): Promise<void> {
  const { clusterDir, account } = directory;
  const major = await clusterMajor(clusterDir);
  if (major === undefined) return createCluster(directory, binaries);
  if (major !== binaries.major) {
    throw new DatabaseStartError(
      `${clusterDir} was made by PostgreSQL ${major}, and this is PostgreSQL ${binaries.major}: the files of one major version ` +
        `cannot be opened by another. Set OLD_PG_BIN_DIR to the programs of PostgreSQL ${major}, and the service copies the data at its ` +
        'next start. Or set PG_BIN_DIR to them, or go back to the version of Skein that made the files: either goes on with them.',
    );
  }
  if (account && (await stat(clusterDir)).uid === 0) await giveTo(account, clusterDir);
}

/** The major version in the cluster's `PG_VERSION`; undefined if there is no cluster. */
export async function clusterMajor(clusterDir: string): Promise<number | undefined> {
  try {
    const major = Number.parseInt(await readFile(join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
    if (major > 0) return major;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  if (!existsSync(clusterDir)) return undefined;
  throw new DatabaseStartError(
    `${clusterDir} exists and is not a PostgreSQL cluster: PG_VERSION is missing or damaged. Move it away, or restore it from a backup.`,
  );
}

async function createCluster({ path, clusterDir, account }: DataDirectory, binaries: Binaries): Promise<void> {
  const unfinished = `${clusterDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);
  const args = ['-D', unfinished, ...initdbOptions(binaries.major)];
  const { succeeded, output } = await runProgram(binaries.initdb, args, {
    account,
    environment: binaries.environment,
  });
  if (!succeeded) throw explainStartFailure(output, clusterDir);
  await rename(unfinished, clusterDir);
  await syncFolder(path);
}

/**
 * The built-in locale (PostgreSQL 17 and newer) orders text by code point, the same on every machine, so an update of the
 * operating system's C library never damages an index.
 */
function initdbOptions(major: number): string[] {
  return [
    `--username=${databaseRole}`,
    '--encoding=UTF8',
    ...(major >= 17 ? ['--locale-provider=builtin'] : []),
    '--locale=C.UTF-8',
    '--data-checksums',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
}
