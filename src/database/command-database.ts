/**
 * The embedded database for one command: that of the running service, or a temporary one. Concurrent commands take
 * turns, because the first would otherwise stop the server that the second uses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { prepareDataDirectory } from './embedded/data-directory.js';
import { tryLock } from './embedded/instance-lock.js';
import { runningPostmaster } from './embedded/process/postmaster-pid.js';
import { startEmbeddedServer } from './embedded/server.js';
import { connectionTo, connectionUrl } from './embedded/server-session.js';
import { DatabaseStartError } from './embedded/start-error.js';

export interface CommandDatabaseOptions {
  dataDir: string;
  logger: Logger;
  /** PG_BIN_DIR, if it is set. */
  binDir?: string | undefined;
  /** How long to wait for another command, or for a service that is just starting. */
  waitMs?: number;
}

export interface CommandDatabase {
  url: string;
  /** Stops the server if it was started for this command. */
  close(): Promise<void>;
}

export async function openCommandDatabase(options: CommandDatabaseOptions): Promise<CommandDatabase> {
  const { dataDir, logger, binDir, waitMs = 60_000 } = options;
  const directory = await prepareDataDirectory(dataDir);
  const deadline = performance.now() + waitMs;
  let noticeAt = performance.now() + waitMs / 20;
  for (;;) {
    const lock = await tryLock(directory.path, 'command');
    if (!Array.isArray(lock)) {
      const { url, stop } = await startEmbeddedServer({ dataDir, logger, binDir, lock });
      return { url, close: stop };
    }
    if (lock.every((holder) => holder.purpose === 'serve')) {
      const running = await runningPostmaster(directory.clusterDir);
      if (running?.status === 'ready')
        return { url: connectionUrl(connectionTo(running.socketDir)), close: async () => undefined };
    }
    const what = `The process ${lock[0]?.pid} has the data directory ${directory.path}, and its database has not become ready.`;
    if (performance.now() > deadline) throw new DatabaseStartError(`${what} Wait until it has, or end that process.`);
    if (performance.now() > noticeAt) {
      logger.warn(`${what} Waiting for it for up to ${waitMs / 1000} s.`);
      noticeAt = deadline;
    }
    await sleep(50 + Math.random() * 50);
  }
}
