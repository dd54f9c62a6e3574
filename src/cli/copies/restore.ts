/** A file is read twice: it is checked to its end before the database is opened. What comes from standard input is checked on its way. */
import { Command } from '@commander-js/extra-typings';
import { readBackupFile } from '../../database/backup/backup-file.js';
import { checkBackup } from '../../database/backup/check-backup.js';
import { decompressed } from '../../database/backup/compression.js';
import { type Restored, restoreBackup, splitMigrations } from '../../database/backup/restore-backup.js';
import { readMigrations } from '../../database/migrations/folder.js';
import { openDatabaseForCommand } from '../../process/open-database.js';
import { withAddress } from '../with-database.js';
import { fileName, standardStream } from './file-argument.js';
import { counted, whileCopied } from './progress.js';
import { stopSignal } from './stopped.js';

export const restoreCommand = new Command('restore')
  .description('Load a backup into an empty database. Either all of it is restored, or nothing is changed.')
  .argument('<file>', 'A backup, or - for standard input', fileName)
  .option('--check', 'Only check that the backup is whole and that this version can restore it')
  .action(async (file, { check = false }) => {
    const read = () => (file === standardStream ? decompressed(process.stdin) : readBackupFile(file));
    if (check || file !== standardStream) {
      const { header, rows } = await checkBackup(read());
      splitMigrations(await readMigrations(), header);
      if (check) {
        console.log(`${file}: ${counted(rows, 'row')}, taken at ${header.takenAt} by Skein ${header.skein}, whole`);
        return;
      }
    }
    const signal = stopSignal();
    // So that nobody waits for what may never come.
    signal.addEventListener('abort', () => process.stdin.destroy());
    await withAddress(openDatabaseForCommand, async ({ directUrl, isPooled }) => {
      const restored = await whileCopied((onProgress) =>
        restoreBackup({ url: directUrl, isDirect: isPooled, parts: read(), onProgress, signal }),
      );
      console.log(describe(restored));
    });
  });

export function describe({ tables, rows, migrated, impossiblePairs }: Restored): string {
  const later = migrated > 0 ? `, and applied ${counted(migrated, 'migration')} that it did not have` : '';
  const repair =
    impossiblePairs > 0
      ? `\n${counted(impossiblePairs, 'thread')} contradict their response; the service repairs them.`
      : '';
  return `Restored ${counted(rows, 'row')} of ${counted(tables, 'table')}${later}.${repair}`;
}
