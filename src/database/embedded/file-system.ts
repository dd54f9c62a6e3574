/**
 * Tries out whether a file system can hold a database, before PostgreSQL fails on it in the middle of its work: one that
 * is mounted to be read only, or that keeps no permissions and owners, such as those of USB sticks and some network shares.
 */
import { chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

/** What is done with files. Tests replace single ones, as a file system would. */
export const systemCalls = { chmod, chown, mkdir, rename, stat, writeFile };

/** Throws a `DatabaseStartError` unless the directory is on a file system that PostgreSQL can use. */
export async function checkFileSystem(
  directory: string,
  account: Account | undefined,
  calls: typeof systemCalls = systemCalls,
): Promise<void> {
  const trial = join(directory, `.trial-${process.pid}`);
  try {
    await calls.mkdir(trial);
    for (const mode of [0o700, 0o750]) {
      await calls.chmod(trial, mode);
      // PostgreSQL refuses a directory that others may enter.
      const kept = (await calls.stat(trial)).mode & 0o777;
      if (kept !== mode)
        throw new Error(`it does not keep permissions (${mode.toString(8)} became ${kept.toString(8)})`);
    }
    await calls.writeFile(join(trial, 'new'), 'trial', { flush: true });
    await calls.rename(join(trial, 'new'), join(trial, 'renamed'));
    if (account) await calls.chown(trial, account.uid, account.gid);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(
      `The data directory ${directory} cannot hold a database: ${reason}. Set DATA_DIR to a directory on another file ` +
        'system, or DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    );
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
