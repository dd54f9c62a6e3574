/**
 * The embedded PostgreSQL: owns the data directory, keeps one server running on it, and restarts it when it dies. A
 * killed process leaves its server running, and the next process adopts it. The server listens only on a Unix socket in
 * a private directory, and commits are durable.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hasCode } from '../../platform/files/system-error.js';
import { findBinaries } from './binaries.js';
import { prepareCluster } from './cluster.js';
import { prepareDataDirectory } from './data-directory.js';
import { type InstanceLock, lockInstance } from './instance-lock.js';
import {
  adoptPostmaster,
  type Postmaster,
  type StartPostmasterOptions,
  startPostmaster,
  stopPostmaster,
} from './process/postmaster.js';
import { runningPostmaster } from './process/postmaster-pid.js';
import { Supervisor } from './process/supervisor.js';
import { type ConnectionOptions, connectionTo, connectionUrl, openDatabase } from './server-session.js';
import { serverSettings } from './server-settings.js';
import { prepareSocketDirectory, refuseForeignServer } from './socket-directory.js';
import { DatabaseStartError } from './start-error.js';
import { upgradeCluster } from './upgrade.js';

export interface EmbeddedServerOptions {
  /** The result of `chooseDataDirectory`. */
  dataDir: string;
  logger: Logger;
  /** PG_BIN_DIR, if it is set. */
  binDir?: string | undefined;
  /** OLD_PG_BIN_DIR, if it is set: the programs that a cluster of another major version is copied with. */
  oldBinDir?: string | undefined;
  /** False only for the throwaway databases of tests. */
  durable?: boolean;
  maxConnections?: number;
  /** MiB that its sessions share. */
  memory?: number;
  /** The lock of the data directory, if the caller already has it; otherwise it is taken here. */
  lock?: InstanceLock;
}

export interface EmbeddedServer {
  connectionOptions: ConnectionOptions;
  url: string;
  /** Whether the server was left running by a killed process. */
  adopted: boolean;
  /** Stops the server and releases the data directory. */
  stop(): Promise<void>;
}

/** Starts the database on the data directory, or adopts the one that runs there. Throws a `DatabaseStartError`. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { logger, durable = true, maxConnections = 50, memory } = options;
  const startedMs = performance.now();
  refuseWindows();
  const directory = await prepareDataDirectory(options.dataDir);
  const lock = options.lock ?? (await lockInstance({ dataDir: directory.path, purpose: 'serve' }));
  try {
    const binaries = await findBinaries({
      binDir: options.binDir,
      dataDir: directory.path,
      account: directory.account,
    });
    await upgradeCluster({ directory, binaries, oldBinDir: options.oldBinDir, durable, logger });
    await prepareCluster(directory, binaries);
    const socketDir = await prepareSocketDirectory(directory.path, directory.account);
    const launch = { directory, binaries, socketDir, settings: serverSettings({ durable, maxConnections, memory }) };
    const { postmaster, adopted } = await openServer(launch, { durable, maxConnections });
    const supervisor = new Supervisor({ postmaster, restart: () => adoptOrStart(launch), logger });
    const connectionOptions = connectionTo(postmaster.socketDir);
    const tookMs = Math.round(performance.now() - startedMs);
    logger.info({ dataDir: directory.path, adopted, tookMs }, 'the embedded PostgreSQL is running');
    const stop = async () => {
      await supervisor.stop();
      await lock.release();
    };
    return { connectionOptions, url: connectionUrl(connectionOptions), adopted, stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function refuseWindows(): void {
  if (process.platform !== 'win32') return;
  throw new DatabaseStartError(
    'The PostgreSQL that Skein brings along does not run on Windows. Run Skein in the Windows Subsystem for Linux, or set ' +
      'DATABASE_URL to a PostgreSQL server.',
  );
}

/**
 * A server that answers. An adopted one is replaced if its socket is gone (cleaned away from a temporary folder), or if
 * it was started for fewer processes and takes fewer connections.
 */
async function openServer(
  launch: StartPostmasterOptions,
  { durable, maxConnections }: { durable: boolean; maxConnections: number },
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const postmaster = await adoptOrStart(launch);
  try {
    const takes = await openDatabase(postmaster.socketDir, durable);
    if (!postmaster.adopted || takes >= maxConnections) return { postmaster, adopted: postmaster.adopted };
    await stopPostmaster(postmaster);
  } catch (error) {
    if (!postmaster.adopted || hasCode(error, 'ENOENT', 'ECONNREFUSED')) await stopPostmaster(postmaster);
    if (!postmaster.adopted || !hasCode(error, 'ENOENT', 'ECONNREFUSED')) throw error;
  }
  const started = await startPostmaster(launch);
  await openDatabase(started.socketDir, durable);
  return { postmaster: started, adopted: false };
}

async function adoptOrStart(launch: StartPostmasterOptions): Promise<Postmaster> {
  const { clusterDir } = launch.directory;
  const deadline = Date.now() + 60_000;
  for (let running = await runningPostmaster(clusterDir); running; running = await runningPostmaster(clusterDir)) {
    if (running.status === 'ready') return adoptPostmaster(running, clusterDir);
    if (Date.now() > deadline) {
      throw new DatabaseStartError(
        `PostgreSQL (process ${running.pid}) runs on ${clusterDir} and has been "${running.status}" for a minute. ` +
          'Look into the folder "log" there; where it does not go on, end that process, then start Skein again.',
      );
    }
    await sleep(50);
  }
  await refuseForeignServer(launch.socketDir);
  return startPostmaster(launch);
}
