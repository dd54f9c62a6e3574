/**
 * Creates the cluster, the directory that a PostgreSQL server serves. It is built under another name and then renamed,
 * so an interrupted start never leaves an incomplete cluster.
 */
import { chmod, chown, mkdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import type { Binaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import { runProgram } from './process/run-program.js';
import { giveTo } from './process/unprivileged.js';
import { DatabaseStartError, explainStartFailure } from './start-error.js';

/** The role that owns everything, and the name of the database. */
export const databaseRole = 'skein';

/** Creates the cluster if there is none, and checks that these binaries can open it. */
export async function prepareCluster(directory: DataDirectory, binaries: Binaries): Promise<void> {
  const major = await clusterMajor(directory.clusterDir);
  if (major === undefined) {
    await createCluster(directory, binaries);
  } else if (major !== binaries.major) {
    throw new DatabaseStartError(
      `${directory.clusterDir} was made by PostgreSQL ${major}, and this is PostgreSQL ${binaries.major}: the files of one major version ` +
        `cannot be opened by another. Set OLD_PG_BIN_DIR to the programs of PostgreSQL ${major}, and the service copies the data at its ` +
        'next start. Or set PG_BIN_DIR to them, or go back to the version of Skein that made the files: either goes on with them.',
    );
  } else if (directory.account && (await stat(directory.clusterDir)).uid === 0) {
    await giveTo(directory.account, directory.clusterDir);
  }
}

/** The major version in the cluster's `PG_VERSION`; undefined if there is no cluster. */
export async function clusterMajor(clusterDir: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  try {
    await stat(clusterDir);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new DatabaseStartError(
    `${clusterDir} exists and is not a PostgreSQL cluster: PG_VERSION is missing. Move it away, or restore it from a backup.`,
  );
}

async function createCluster({ path, clusterDir, account }: DataDirectory, binaries: Binaries): Promise<void> {
  await requireSpace(path);
  const unfinished = `${clusterDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await chmod(unfinished, 0o700);
  if (account) await chown(unfinished, account.uid, account.gid);
  const { code, output } = await runProgram(binaries.initdb, ['-D', unfinished, ...initdbOptions(binaries.major)], {
    account,
    environment: binaries.environment,
  });
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw explainStartFailure(output, clusterDir);
  }
  await rename(unfinished, clusterDir);
}

/** A new cluster has 40 MB; the rest is for its write-ahead log. */
const neededMegabytes = 150;

async function requireSpace(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  const freeMegabytes = Math.floor((bavail * bsize) / 1e6);
  if (freeMegabytes >= neededMegabytes) return;
  throw new DatabaseStartError(
    `The disk that holds ${path} has ${freeMegabytes} MB left, and a new database needs ${neededMegabytes} MB. ` +
      'Free some space, or set DATA_DIR to a directory on another disk.',
  );
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
