/**
 * Chooses the data directory. It never moves silently: a configured directory, or one that holds a cluster, is used or
 * rejected. Only the default can give way, and only for root in a checkout that no other account can reach (such as one
 * below /root): the data is then in /var/lib/skein, under a name derived from the checkout's path, and a log line tells
 * so.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { hasCode, isFileError } from '../../platform/files/system-error.js';
import { checkFileSystem } from './file-system.js';
import { type Account, accountFor, closedFolder, isRoot } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

/** Where the embedded database keeps its files when it runs as root and the checkout cannot be reached by others. */
export const systemDataDir = '/var/lib/skein';

export interface DataDirectoryOptions {
  /** DATA_DIR, if it is set. */
  configured?: string | undefined;
  /** The default. */
  fallback: string;
  logger: Logger;
  /** For tests: another place than `/var/lib/skein`. */
  systemDir?: string;
}

/** The data directory, absolute. Call it once at start, before anything reads or writes there. */
export async function chooseDataDirectory(options: DataDirectoryOptions): Promise<string> {
  if (options.configured !== undefined) return resolve(options.configured);
  const usual = resolve(options.fallback);
  if (!isRoot() || (await hasCluster(usual))) return usual;
  const name = createHash('sha256').update(usual).digest('hex').slice(0, 12);
  const elsewhere = join(options.systemDir ?? systemDataDir, name);
  if (await hasCluster(elsewhere)) return elsewhere;
  const account = await accountFor(clusterDirectory(usual));
  const closed = account && closedFolder(usual, account);
  if (closed === undefined) return usual;
  options.logger.warn(
    { dataDir: elsewhere, closed, account: account?.name },
    'PostgreSQL cannot run as root and its account cannot reach this checkout; the data is stored elsewhere; set DATA_DIR to choose the directory',
  );
  return elsewhere;
}

/** The directory of the PostgreSQL cluster within the data directory. */
export function clusterDirectory(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Also true of one that this account may not look at. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    return (await stat(join(clusterDirectory(dataDir), 'PG_VERSION'))).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')) return false;
    if (hasCode(error, 'EACCES')) return true;
    throw error;
  }
}

export interface DataDirectory {
  /** Absolute, with symbolic links resolved, so that two names of one directory compare equal. */
  path: string;
  clusterDir: string;
  account: Account | undefined;
}

/** Creates the data directory where it is missing, and checks that the database's account can work in it. */
export async function prepareDataDirectory(dataDir: string): Promise<DataDirectory> {
  await createFolders(resolve(dataDir));
  const path = await realpath(dataDir);
  if (/[\n\r]/.test(path)) {
    // PostgreSQL records who serves a cluster in a file of lines, one of which is this path.
    throw new DatabaseStartError(
      `The data directory ${JSON.stringify(path)} has a line break in its path, which PostgreSQL cannot serve. ` +
        'Set DATA_DIR to another directory.',
    );
  }
  const clusterDir = clusterDirectory(path);
  const account = await accountFor(clusterDir);
  // The directory itself is Skein's to open, by the right to walk through alone; the folders above it are not.
  if (account && closedFolder(path, account) === path) await chmod(path, (await stat(path)).mode | 0o011);
  const closed = account && closedFolder(path, account);
  if (closed !== undefined) {
    throw new DatabaseStartError(
      `PostgreSQL refuses to run as root, and the account "${account?.name}" cannot reach ${path}, because ${closed} is closed to it. ` +
        `Set DATA_DIR to a directory that it can reach, such as ${systemDataDir}, or run Skein as an ordinary user.`,
    );
  }
  await checkFileSystem(path, account);
  return { path, clusterDir, account };
}

/**
 * For an ordinary user the directory is private. For root every folder made on the way lets the account walk through. Node's
 * `recursive` would try for ever where the file system has no place for a new folder and says ENOENT of it, as `/proc` does.
 */
async function createFolders(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  try {
    for (const folder of missing) {
      await mkdir(folder, { mode: 0o700 });
      if (isRoot()) await chmod(folder, 0o711);
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    // Another process may have made it meanwhile.
    if (hasCode(error, 'EEXIST') && existsSync(error.path ?? '')) return createFolders(path);
    throw cannotCreate(path, error.message);
  }
  if (!(await stat(path)).isDirectory()) throw cannotCreate(path, 'a file has this name');
}

function cannotCreate(path: string, reason: string): DatabaseStartError {
  return new DatabaseStartError(
    `The data directory ${path} cannot be created: ${reason}. Set DATA_DIR to a directory that this account may write to.`,
  );
}
