import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from '@commander-js/extra-typings';
import { BackupError } from '../../database/backup/backup-error.js';
import { writeBackupFile } from '../../database/backup/backup-file.js';
import { compress } from '../../database/backup/compression.js';
import { takeBackup } from '../../database/backup/take-backup.js';
import { hasCode } from '../../platform/files/system-error.js';
import { openDatabaseToCopy } from '../../process/open-database.js';
import { withAddress } from '../with-database.js';
import { fileName, standardStream } from './file-argument.js';
import { counted, sizeText, whileCopied } from './progress.js';
import { stopSignal } from './stopped.js';

export const backupCommand = new Command('backup')
  .description('Write everything into a file, while the service runs, and read it back.')
  .argument('<file>', 'A new file, or - for standard output, which is not read back', fileName)
  .action(async (file) => {
    if (file === standardStream && process.stdout.isTTY) {
      throw new BackupError('A backup is not for a terminal. Name a file, or redirect standard output.');
    }
    const signal = stopSignal();
    await withAddress(openDatabaseToCopy, async ({ directUrl, isPooled }) => {
      const written = await whileCopied(async (onProgress) => {
        const parts = takeBackup({ url: directUrl, isDirect: isPooled, onProgress, signal });
        return file === standardStream ? writeToStandardOutput(parts) : writeBackupFile({ path: file, parts, signal });
      });
      if (!written) return;
      const { header, rows, bytes } = written;
      console.log(
        `${file}: ${counted(rows, 'row')} of ${counted(header.tables.length, 'table')}, ${sizeText(bytes)}, read back`,
      );
    });
  });

async function writeToStandardOutput(parts: AsyncIterable<Buffer>): Promise<void> {
  try {
    await pipeline(Readable.from(parts, { objectMode: false }), compress(), process.stdout);
  } catch (error) {
    if (!hasCode(error, 'ENOSPC', 'EPIPE', 'EIO', 'EFBIG')) throw error;
    throw new BackupError(`Standard output takes no more: ${error.message}. What was written is not a backup.`);
  }
}
