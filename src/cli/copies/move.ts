import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { BackupError } from '../../database/backup/backup-error.js';
import { restoreBackup } from '../../database/backup/restore-backup.js';
import { takeBackup } from '../../database/backup/take-backup.js';
import { readDatabaseUrl } from '../../database/database-url.js';
import { openDatabaseToMove } from '../../process/open-database.js';
import { value } from '../command-line.js';
import { loadConfig } from '../load-config.js';
import { withAddress } from '../with-database.js';
import { whileCopied } from './progress.js';
import { describe } from './restore.js';
import { stopSignal } from './stopped.js';

export const moveCommand = new Command('move')
  .description('Copy the embedded database, which must not be in use, into an empty database of a PostgreSQL server.')
  .requiredOption('--to <url>', 'URL of the database, which leads to no pooler', databaseUrl)
  .action(async ({ to }) => {
    const { config } = loadConfig();
    if (config.databaseUrl) {
      throw new BackupError('DATABASE_URL is set, so the embedded database is not in use. Unset it to move that one.');
    }
    const signal = stopSignal();
    await withAddress(openDatabaseToMove, async ({ directUrl, dataDir }) => {
      const parts = takeBackup({ url: directUrl, signal });
      const restored = await whileCopied((onProgress) => restoreBackup({ url: to, parts, onProgress, signal }));
      console.log(describe(restored));
      console.log(
        `Set DATABASE_URL to that address before Skein starts again. ${dataDir} is as it was, and not in use any more: ` +
          'remove it when you are sure that everything is there.',
      );
    });
  });

function databaseUrl(text: string): string {
  try {
    return readDatabaseUrl(value(text));
  } catch (error) {
    throw error instanceof InvalidArgumentError ? error : new InvalidArgumentError((error as Error).message);
  }
}
