/** A backup cannot be written, read or restored. The message tells what to do; nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
