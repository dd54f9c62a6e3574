/**
 * Chooses the data directory. It never moves silently: a configured directory, or one that holds a cluster, is used or
 * rejected. Only the default can give way, and only for root in a checkout that no other account can reach (such as one
 * below /root): the data is then in /var/lib/skein, under a name derived from the checkout's path, and a log line tells
 * so.
 */
import { createHash } from 'node:crypto';
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
  const closed = account && (await closedFolder(usual, account));
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

export async function hasCluster(dataDir: string): Promise<boolean> {
  return exists(join(clusterDirectory(dataDir), 'PG_VERSION'));
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
  refuseLineBreak(path);
  const clusterDir = clusterDirectory(path);
  const account = await accountFor(clusterDir);
  let closed = account && (await closedFolder(path, account));
  if (closed === path) {
    // The directory itself is Skein's to open, by the right to walk through alone; the folders above it are not.
    await chmod(path, (await stat(path)).mode | 0o011);
    closed = undefined;
  }
  if (closed !== undefined) {
    throw new DatabaseStartError(
      `PostgreSQL refuses to run as root, and the account "${account?.name}" cannot reach ${path}, because ${closed} is closed to it. ` +
        `Set DATA_DIR to a directory that it can reach, such as ${systemDataDir}, or run Skein as an ordinary user.`,
    );
  }
  await checkFileSystem(path, account);
  return { path, clusterDir, account };
}

/** PostgreSQL records who serves a cluster in a file of lines, one of which is this path. */
function refuseLineBreak(path: string): void {
  if (!/[\n\r]/.test(path)) return;
  throw new DatabaseStartError(
    `The data directory ${JSON.stringify(path)} has a line break in its path, which PostgreSQL cannot serve. ` +
      'Set DATA_DIR to another directory.',
  );
}

/** For an ordinary user the directory is private. For root every folder made on the way lets the account walk through. */
async function createFolders(path: string): Promise<void> {
  try {
    const first = await makeFolders(path, isRoot() ? 0o755 : 0o700);
    if (first === undefined || !isRoot()) return;
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await chmod(folder, 0o711);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new DatabaseStartError(
      `The data directory ${path} cannot be created: ${error.message}. Set DATA_DIR to a directory that this account may write to.`,
    );
  }
}

/**
 * Returns the first folder that had to be made. Node's `recursive` would try for ever where the file system has no place for a new
 * folder and says ENOENT of it, as `/proc` does.
 */
async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : await makeFolders(parent, mode);
  try {
    await mkdir(path, { mode });
    return first ?? path;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (hasCode(error, 'EEXIST') && (await isFolder(path))) return first;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')) return false;
    if (hasCode(error, 'EACCES')) return true;
    throw error;
  }
}
