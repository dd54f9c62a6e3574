/**
 * What is written to standard output and standard error may lose its reader (`| head`, a terminal that was closed) or its room
 * (a log on a full disk). Node ends the process then, in the middle of whatever it does, and the embedded database would run
 * on without it. Skein goes on instead: a service serves, and a command ends as it would have, with status 1 if its
 * output had no room.
 */
export function surviveLostOutput({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever closes a pipe has read enough; and who pipes into it, as a backup does, hears of it by itself.
    if (error.code === 'EPIPE' || stdout.listenerCount('error') > 1) return;
    process.exitCode = 1;
    stderr.write(`Standard output takes no more: ${error.message}.\n`);
  });
  // There is nowhere left to say it.
  stderr.on('error', () => undefined);
}
