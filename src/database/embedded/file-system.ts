/**
 * Tries out whether a file system can hold a database, before PostgreSQL fails on it in the middle of its work: one that
 * is mounted to be read only, or that keeps no permissions and owners, such as those of USB sticks and some network shares.
 */
import { chmod, chown, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

/** What is done with files. Tests replace single ones, as a file system would. */
export const systemCalls = { chmod, chown, mkdir, open, rename, stat };

/** Throws a `DatabaseStartError` unless the directory is on a file system that PostgreSQL can use. */
export async function checkFileSystem(
  directory: string,
  account: Account | undefined,
  calls: typeof systemCalls = systemCalls,
): Promise<void> {
  const trial = join(directory, `.trial-${process.pid}`);
  try {
    await tryOut(trial, account, calls);
  } catch (error) {
    throw unusable(directory, error);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

async function tryOut(trial: string, account: Account | undefined, calls: typeof systemCalls): Promise<void> {
  await calls.mkdir(trial);
  for (const mode of [0o700, 0o750]) {
    await calls.chmod(trial, mode);
    // PostgreSQL refuses a directory that others may enter.
    const kept = (await calls.stat(trial)).mode & 0o777;
    if (kept !== mode) throw new Error(`it does not keep permissions (${mode.toString(8)} became ${kept.toString(8)})`);
  }
  const file = await calls.open(join(trial, 'new'), 'w');
  try {
    await file.write('trial');
    await file.sync();
  } finally {
    await file.close();
  }
  await calls.rename(join(trial, 'new'), join(trial, 'renamed'));
  if (account) await calls.chown(trial, account.uid, account.gid);
}

function unusable(directory: string, error: unknown): DatabaseStartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseStartError(
    `The data directory ${directory} cannot hold a database: ${reason}. Set DATA_DIR to a directory on another file ` +
      'system, or DATABASE_URL to a PostgreSQL server.',
    { cause: error },
  );
}
