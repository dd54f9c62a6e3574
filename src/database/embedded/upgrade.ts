/**
 * Brings a cluster of another major version of PostgreSQL to this one: both servers run, and everything is copied from the one to
 * the other. The old cluster is not changed, and kept beside the new one. A start that is killed at any point is repeated by the
 * next one: the new cluster counts only under its last name but one, `postgres.upgraded`, and takes the place of the old one by
 * being renamed.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { type Binaries, findBinaries } from './binaries.js';
import { clusterMajor, prepareCluster } from './cluster.js';
import type { DataDirectory } from './data-directory.js';
import { startPostmaster, stopPostmaster } from './process/postmaster.js';
import { connectionTo, connectionUrl, createDatabase } from './server-session.js';
import { serverSettings } from './server-settings.js';
import { prepareSocketDirectory } from './socket-directory.js';
import { DatabaseStartError } from './start-error.js';

/** How to copy a cluster of another major version. */
export interface Upgrade {
  /** OLD_PG_BIN_DIR: the programs of the version that made the cluster. */
  oldBinDir: string;
  /** Copies everything from one database to an empty one, by their URLs. */
  copy(from: string, to: string): Promise<void>;
}

export interface UpgradeOptions {
  directory: DataDirectory;
  binaries: Binaries;
  upgrade: Upgrade | undefined;
  durable: boolean;
  logger: Logger;
}

/** Does nothing if the cluster is one of this version, or if there is none. */
export async function upgradeCluster(options: UpgradeOptions): Promise<void> {
  const { directory, binaries, upgrade, logger } = options;
  const { clusterDir } = directory;
  await finishUpgrade(clusterDir);
  const major = await clusterMajor(clusterDir);
  if (major === undefined || major === binaries.major || upgrade === undefined) return;
  const { oldBinDir, copy } = upgrade;
  const old = await findBinaries({ binDir: oldBinDir, dataDir: directory.path, account: directory.account });
  if (old.major !== major) {
    throw new DatabaseStartError(
      `OLD_PG_BIN_DIR is ${oldBinDir}, which has PostgreSQL ${old.major}, and ${clusterDir} was made by PostgreSQL ${major}. ` +
        `Set it to the programs of PostgreSQL ${major}.`,
    );
  }
  const kept = `${clusterDir}-${major}`;
  if (existsSync(kept)) {
    throw new DatabaseStartError(
      `${kept} exists already, and the old files would go there. Move it away, then start again.`,
    );
  }
  logger.info({ from: major, to: binaries.major }, 'copying the database to a new major version of PostgreSQL');
  await copyCluster(options, { old, copy });
  await rename(join(directory.path, 'upgrade', 'postgres'), upgraded(clusterDir));
  await rename(clusterDir, kept);
  await finishUpgrade(clusterDir);
  await rm(join(directory.path, 'upgrade'), { recursive: true, force: true });
  logger.info({ kept }, 'the database was copied; the old files are kept until you remove them');
}

function upgraded(clusterDir: string): string {
  return `${clusterDir}.upgraded`;
}

/** What a killed start left complete takes its place, unless the old cluster still has it, which may have gone on since. */
async function finishUpgrade(clusterDir: string): Promise<void> {
  if (!existsSync(upgraded(clusterDir))) return;
  if (existsSync(clusterDir)) return rm(upgraded(clusterDir), { recursive: true });
  await rename(upgraded(clusterDir), clusterDir);
  await syncFolder(dirname(clusterDir));
}

async function copyCluster(
  { directory, binaries, durable }: UpgradeOptions,
  { old, copy }: { old: Binaries; copy: Upgrade['copy'] },
): Promise<void> {
  const path = join(directory.path, 'upgrade');
  const fresh: DataDirectory = { ...directory, path, clusterDir: join(path, 'postgres') };
  // A killed start leaves its server running, too.
  await stopPostmaster(fresh.clusterDir);
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  await chmod(path, directory.account ? 0o711 : 0o700);
  await prepareCluster(fresh, binaries);
  try {
    const from = await run(directory, old, durable);
    const to = await run(fresh, binaries, durable);
    await createDatabase(to);
    await copy(connectionUrl(connectionTo(from)), connectionUrl(connectionTo(to)));
  } finally {
    await Promise.all([fresh, directory].map(({ clusterDir }) => stopPostmaster(clusterDir)));
  }
}

/** Returns the directory of its socket. */
async function run(directory: DataDirectory, binaries: Binaries, durable: boolean): Promise<string> {
  const socketDir = await prepareSocketDirectory(directory.path, directory.account);
  await startPostmaster({ directory, binaries, socketDir, settings: serverSettings({ durable, maxConnections: 20 }) });
  return socketDir;
}
