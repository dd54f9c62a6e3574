/**
 * Root may start Skein in a checkout that no other account can reach, for example below /root. The account that runs
 * PostgreSQL cannot execute the binaries there, so they are copied once to a system directory that all can read and
 * only root can write. Permissions of existing folders are never changed.
 */
import { chmod, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import { systemDataDir } from './data-directory.js';
import { DatabaseStartError } from './start-error.js';

export interface CopyOptions {
  packageDir: string;
  /** Part of the copy's name, so that each version has its own. */
  version: string;
  /** For tests: another place than `/var/lib/skein`. */
  systemDir?: string | undefined;
}

/** Copies the package's `native` folder, unless that was done before, and returns the folder that holds the copy. */
export async function copyBinaries({ packageDir, version, systemDir = systemDataDir }: CopyOptions): Promise<string> {
  const copy = join(systemDir, `postgresql-${version}`);
  if (await isFolder(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    for (const folder of [systemDir, unfinished]) await chmod(folder, 0o755);
    await copyFolder(join(packageDir, 'native'), join(unfinished, 'native'));
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST') && (await isFolder(copy))) return copy;
    throw new DatabaseStartError(
      `PostgreSQL refuses to run as root, other accounts cannot reach ${packageDir}, and its binaries cannot be copied to ` +
        `${systemDir}: ${error instanceof Error ? error.message : String(error)}. Move the checkout to a folder such as /opt or ` +
        '/srv, run Skein as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return copy;
}

/** Modes are set and not copied: under a umask of 077 npm makes files that only root can read. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyFolder(source, target);
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, 0o755);
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
