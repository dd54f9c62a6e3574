import { open } from 'node:fs/promises';

/** Writes to the disk which names the folder has. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
