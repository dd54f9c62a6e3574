/**
 * A backup as a file. It is written beside its place, to the disk, and gets its name only when it was read back whole: whatever
 * ends the process, a file of that name is a backup. It never takes the place of another file. Only the owner may read it, because
 * it holds conversations, and digests of passwords and tokens.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { link, lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { hasCode, isFileError, isFull } from '../../platform/files/system-error.js';
import { BackupError } from './backup-error.js';
import { type Checked, checkBackup } from './check-backup.js';
import { compress, decompressed } from './compression.js';

export interface WriteOptions {
  path: string;
  /** The text of the backup, which ends with an error when the signal is aborted. */
  parts: AsyncIterable<Buffer>;
  signal?: AbortSignal | undefined;
}

/** Writes the file and reads it back. Returns what it holds. */
export async function writeBackupFile({ path, parts, signal }: WriteOptions): Promise<Checked & { bytes: number }> {
  const unfinished = `${path}.${process.pid}.partial`;
  for (const name of [path, unfinished]) await refuseExisting(name);
  try {
    const bytes = await writeThrough(unfinished, parts);
    const checked = await checkBackup(readBackupFile(unfinished));
    if (signal?.aborted) throw new BackupError('It was stopped, and no file was written.');
    await giveName(unfinished, path);
    return { ...checked, bytes };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explainWriting(error, path);
  }
}

/** The text of the backup in a file. */
export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* decompressed(createReadStream(path));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new BackupError(`${path} cannot be read: ${error.message}.`, { cause: error });
  }
}

async function writeThrough(path: string, parts: AsyncIterable<Buffer>): Promise<number> {
  // `flush`: it is on the disk before it is closed.
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(parts, { objectMode: false }), compress(), output);
  return output.bytesWritten;
}

async function refuseExisting(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw explainWriting(error, path);
  }
  throw existing(path);
}

/** By a link, which fails if there is such a file by now; a file system without links has only the check before. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
    await rm(unfinished);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw existing(path);
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    await rename(unfinished, path);
  }
  await syncFolder(dirname(path));
}

function existing(path: string): BackupError {
  return new BackupError(
    `${path} exists already, and a backup replaces nothing. Choose another name, or remove that file.`,
  );
}

function explainWriting(error: unknown, path: string): unknown {
  if (!isFileError(error)) return error;
  const advice = isFull(error) ? 'Choose a place with enough space.' : 'Choose another place.';
  return new BackupError(`${path} cannot be written: ${error.message}. Nothing is left of it. ${advice}`);
}
