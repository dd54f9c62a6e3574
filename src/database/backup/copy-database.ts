import { restoreBackup } from './restore-backup.js';
import { takeBackup } from './take-backup.js';

/** Copies everything as a backup is restored: in one snapshot, and compared before it counts. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await restoreBackup({ url: to, parts: takeBackup({ url: from }) });
}
