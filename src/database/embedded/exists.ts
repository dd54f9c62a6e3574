import { stat } from 'node:fs/promises';
import { hasCode } from '../../platform/files/system-error.js';

/** Whether there is something at the path; a link that leads nowhere is nothing. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
