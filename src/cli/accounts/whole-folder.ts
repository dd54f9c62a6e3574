/**
 * A folder that has its name only when everything is in it and on the disk. Whatever ends the process, a folder of that name is
 * whole; it never takes the place of another.
 */
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ProvisionError } from '../../modules/identity/provision.js';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { hasCode, isFileError, isFull } from '../../platform/files/system-error.js';

/** Passes `write` the name of a folder to create and fill, and then gives it the name that was asked for. */
export async function writeWholeFolder<T>(folder: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const path = resolve(folder);
  const unfinished = `${path}.${process.pid}.partial`;
  for (const name of [path, unfinished]) await refuseExisting(name, folder);
  try {
    const written = await write(unfinished);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw explain(error, folder);
  }
}

async function refuseExisting(path: string, folder: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw explain(error, folder);
  }
  throw new ProvisionError(`${folder} exists already. Name a folder that does not.`);
}

function explain(error: unknown, folder: string): unknown {
  if (!isFileError(error)) return error;
  const advice = isFull(error) ? 'Choose a place with enough space.' : 'Choose another place.';
  return new ProvisionError(`${folder} cannot be written: ${error.message}. Nothing is left of it. ${advice}`);
}
