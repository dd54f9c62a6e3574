/**
 * npm packages cannot hold symbolic links, so the binary package lists its own in `native/pg-symlinks.json` and makes them in
 * an install script. Install scripts do not run everywhere (pnpm, `--ignore-scripts`, npm's `allowScripts`); without the links
 * PostgreSQL dies with "libicui18n.so.60: cannot open shared object file". So they are made here, at start: in the
 * package, or in the data directory where the package may not be written.
 */
import { chmod, chown, mkdir, readFile, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import { exists } from './exists.js';
import type { Account } from './process/unprivileged.js';

interface LibraryLink {
  /** Paths relative to the package, such as `native/lib/libpq.so.5.18` and `native/lib/libpq.so.5`. */
  source: string;
  target: string;
}

export interface LinkOptions {
  packageDir: string;
  dataDir: string;
  account: Account | undefined;
}

/** Makes the links that are missing and returns what the environment needs for the libraries to be found. */
export async function linkLibraries({ packageDir, dataDir, account }: LinkOptions): Promise<Record<string, string>> {
  const missing: LibraryLink[] = [];
  for (const link of await readLinks(packageDir)) {
    if (!(await exists(join(packageDir, link.target)))) missing.push(link);
  }
  try {
    for (const { source, target } of missing) await link(basename(source), join(packageDir, target));
    return {};
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
  const folder = join(dataDir, 'lib');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  for (const { source, target } of missing) await symlink(join(packageDir, source), join(folder, basename(target)));
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: folder };
}

async function readLinks(packageDir: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Another process may make the same link at the same time, and an older version of the package may have left a dead one. */
async function link(source: string, path: string): Promise<void> {
  try {
    await symlink(source, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (await exists(path)) return;
    await unlink(path);
    await symlink(source, path);
  }
}
