import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { hasCode } from '../../src/platform/files/system-error.js';

const memory = '/dev/shm';
const enoughBytes = 2e9;

/**
 * Where throwaway databases go: into memory where there is room for them, because a cluster and each clone of a database
 * are hundreds of small files, which some disks make slowly; else into the system's temporary folder.
 */
export async function temporaryFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= enoughBytes ? memory : tmpdir();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOSYS')) return tmpdir();
    throw error;
  }
}
