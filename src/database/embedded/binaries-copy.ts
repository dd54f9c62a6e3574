import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemDataDir } from './data-directory.js';
import { DatabaseStartError } from './start-error.js';

/**
 * Root may start Skein in a checkout that no other account can reach, for example below /root. The account that runs
 * PostgreSQL cannot execute the binaries there, so they are copied once, for each version, to a system directory that all can
 * read and only root can write. Returns the folder that holds the copy of `native`.
 */
export async function copyBinaries(packageDir: string, systemDir: string = systemDataDir): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const copy = join(systemDir, `postgresql-${version}`);
  const unfinished = `${copy}.${process.pid}`;
  try {
    if (existsSync(copy)) return copy;
    await mkdir(unfinished, { recursive: true });
    await cp(join(packageDir, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => existsSync(path) && !path.endsWith('.a'),
    });
    // Modes are not copied: under a umask of 077 npm makes files that only root can read.
    const names = await readdir(unfinished, { recursive: true });
    for (const path of [systemDir, unfinished, ...names.map((name) => join(unfinished, name))])
      await chmod(path, 0o755);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (existsSync(copy)) return copy;
    throw new DatabaseStartError(
      `PostgreSQL refuses to run as root, other accounts cannot reach ${packageDir}, and its binaries cannot be copied to ` +
        `${systemDir}: ${error instanceof Error ? error.message : String(error)}. Move the checkout to a folder such as /opt or ` +
        '/srv, run Skein as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return copy;
}
