/**
 * The embedded PostgreSQL: owns the data directory, keeps one server running on it, and restarts it when it dies. The server that
 * a killed process left running is stopped first. The server listens only on a Unix socket in a private directory, and commits
 * are durable.
 */
import type { Logger } from 'pino';
import { findBinaries } from './binaries.js';
import { prepareCluster } from './cluster.js';
import { prepareDataDirectory } from './data-directory.js';
import { type InstanceLock, lockInstance } from './instance-lock.js';
import { startPostmaster, stopPostmaster } from './process/postmaster.js';
import { supervise } from './process/supervise.js';
import { connectionTo, connectionUrl, createDatabase } from './server-session.js';
import { serverSettings } from './server-settings.js';
import { prepareSocketDirectory } from './socket-directory.js';
import { DatabaseStartError } from './start-error.js';
import { type Upgrade, upgradeCluster } from './upgrade.js';

export interface EmbeddedServerOptions {
  /** The result of `chooseDataDirectory`. */
  dataDir: string;
  logger: Logger;
  /** PG_BIN_DIR, if it is set. */
  binDir?: string | undefined;
  /** Without it, a cluster of another major version is refused. */
  upgrade?: Upgrade | undefined;
  /** False only for the throwaway databases of tests. */
  durable?: boolean;
  maxConnections?: number;
  /** MiB that its sessions share. */
  memory?: number;
  /** The lock of the data directory, if the caller already has it; otherwise it is taken here. */
  lock?: InstanceLock;
}

export interface EmbeddedServer {
  url: string;
  /** Stops the server and releases the data directory. May be called more than once. */
  stop(): Promise<void>;
}

/** Starts the database on the data directory. Throws a `DatabaseStartError`. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { logger, binDir, upgrade, durable = true, maxConnections = 50, memory } = options;
  const startedMs = performance.now();
  if (process.platform === 'win32') {
    throw new DatabaseStartError(
      'The PostgreSQL that Skein brings along does not run on Windows. Run Skein in the Windows Subsystem for Linux, or set ' +
        'DATABASE_URL to a PostgreSQL server.',
    );
  }
  const directory = await prepareDataDirectory(options.dataDir);
  const { path: dataDir, account } = directory;
  const lock = options.lock ?? (await lockInstance({ dataDir, purpose: 'serve' }));
  try {
    const binaries = await findBinaries({ binDir, dataDir, account });
    await upgradeCluster({ directory, binaries, upgrade, durable, logger });
    await prepareCluster(directory, binaries);
    const socketDir = await prepareSocketDirectory(dataDir, account);
    const launch = { directory, binaries, socketDir, settings: serverSettings({ durable, maxConnections, memory }) };
    const postmaster = await startPostmaster(launch);
    await createDatabase(socketDir);
    logger.info({ dataDir, tookMs: Math.round(performance.now() - startedMs) }, 'the embedded PostgreSQL is running');
    const stopping = new AbortController();
    const stopped = supervise(postmaster, launch, { signal: stopping.signal, logger });
    const stop = async () => {
      stopping.abort();
      await stopped;
      await lock.release();
    };
    return { url: connectionUrl(connectionTo(socketDir)), stop };
  } catch (error) {
    await stopPostmaster(directory.clusterDir);
    await lock.release();
    throw error;
  }
}
