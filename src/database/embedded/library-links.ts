/**
 * npm packages cannot hold symbolic links, so the binary package lists its own in `native/pg-symlinks.json` and makes them in
 * an install script. Install scripts do not run everywhere (pnpm, `--ignore-scripts`, npm's `allowScripts`); without the links
 * PostgreSQL dies with "libicui18n.so.60: cannot open shared object file". So those that are missing are made here, at start:
 * in the package, or in the data directory where the package may not be written.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';

/** Paths below the folder of the package, such as `native/lib/libpq.so.5.18` and `native/lib/libpq.so.5`. */
interface Link {
  source: string;
  target: string;
}

/** Makes the links that are missing and returns what the environment needs for the libraries to be found. */
export async function linkLibraries(packageDir: string, dataDir: string): Promise<Record<string, string>> {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as Link[]) : [];
  const missing = links.filter(({ target }) => !existsSync(join(packageDir, target)));
  try {
    for (const { source, target } of missing) await link(basename(source), join(packageDir, target));
    return {};
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
  const folder = join(dataDir, 'lib');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await chmod(folder, 0o755);
  for (const { source, target } of missing) await symlink(join(packageDir, source), join(folder, basename(target)));
  // What a linked library needs itself is looked for beside the link.
  const folders = `${folder}:${join(packageDir, 'native', 'lib')}`;
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: folders };
}

/** Another process may make the same link at the same time, and an older version of the package may have left a dead one. */
async function link(source: string, path: string): Promise<void> {
  try {
    await symlink(source, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (existsSync(path)) return;
    await unlink(path);
    await symlink(source, path);
  }
}
