/**
 * A PostgreSQL server of its own, with the schema, that a test can stop, crash and freeze. It is durable, because a crash must
 * lose nothing; nobody starts it again but the test.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '../../../src/database/embedded/binaries.js';
import { prepareCluster } from '../../../src/database/embedded/cluster.js';
import { prepareDataDirectory } from '../../../src/database/embedded/data-directory.js';
import { type InstanceLock, lockInstance } from '../../../src/database/embedded/instance-lock.js';
import {
  type Postmaster,
  type StartPostmasterOptions,
  startPostmaster,
  stopPostmaster,
} from '../../../src/database/embedded/process/postmaster.js';
import { connectionTo, connectionUrl } from '../../../src/database/embedded/server-session.js';
import { serverSettings } from '../../../src/database/embedded/server-settings.js';
import { prepareSocketDirectory } from '../../../src/database/embedded/socket-directory.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

export class OwnPostgres {
  readonly url: string;
  readonly socketDir: string;
  readonly #launch: StartPostmasterOptions;
  /** So that other runs of the tests see that the directory is not left over. */
  readonly #lock: InstanceLock;
  #postmaster: Postmaster;
  #frozen: number[] = [];

  private constructor(launch: StartPostmasterOptions, lock: InstanceLock, postmaster: Postmaster) {
    this.#launch = launch;
    this.#lock = lock;
    this.#postmaster = postmaster;
    this.url = connectionUrl(connectionTo(launch.socketDir));
    this.socketDir = launch.socketDir;
  }

  static async start(maxConnections = 100): Promise<OwnPostgres> {
    const path = await newDirectory();
    await copySchemaCluster(path);
    const directory = await prepareDataDirectory(path);
    const { path: dataDir, account } = directory;
    const binaries = await findBinaries({ dataDir, account });
    await prepareCluster(directory, binaries);
    const socketDir = await prepareSocketDirectory(dataDir, account);
    const launch = { directory, binaries, socketDir, settings: serverSettings({ durable: true, maxConnections }) };
    const lock = await lockInstance({ dataDir, purpose: 'serve' });
    return new OwnPostgres(launch, lock, await startPostmaster(launch));
  }

  async start(): Promise<void> {
    this.#postmaster = await startPostmaster(this.#launch);
  }

  /** Cuts all sessions and shuts down properly. */
  async stop(): Promise<void> {
    await stopPostmaster(this.#launch.directory.clusterDir);
  }

  /** Ends at once, without writing anything out: the next start has to recover. */
  async crash(): Promise<void> {
    process.kill(this.#postmaster.pid, 'SIGQUIT');
    await this.#postmaster.exited;
  }

  /** Stops the clock of the server and of every session: connections stay open, and nothing answers. */
  async freeze(): Promise<void> {
    this.#frozen = await freezeServer(this.#postmaster.pid);
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, 'SIGCONT');
  }

  /** For good; the directory stays. */
  async end(): Promise<void> {
    this.thaw();
    await this.stop();
    await this.#lock.release();
  }

  async remove(): Promise<void> {
    await this.end();
    await rm(this.#launch.directory.path, { recursive: true, force: true });
  }
}

/** Stops a server and its sessions by a signal, in the order in which no new one can be made. Gives the processes. */
export async function freezeServer(postmaster: number): Promise<number[]> {
  process.kill(postmaster, 'SIGSTOP');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const pids = children.trim().split(' ').map(Number);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return [...pids, postmaster];
}

/** A directory that the database can use even where the tests run as root. What a killed run leaves there, the next one removes. */
export async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(await temporaryFolder(), 'skein-dir-'));
  await chmod(path, 0o711);
  return path;
}
