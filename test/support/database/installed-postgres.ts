/**
 * A server of the PostgreSQL that is installed on this machine, with its own tools: what an operator backs up and restores with.
 * Debian's package does not put the server into PATH.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { findBinaries } from '../../../src/database/embedded/binaries.js';
import { prepareCluster } from '../../../src/database/embedded/cluster.js';
import { prepareDataDirectory } from '../../../src/database/embedded/data-directory.js';
import { lockInstance } from '../../../src/database/embedded/instance-lock.js';
import { startPostmaster, stopPostmaster } from '../../../src/database/embedded/process/postmaster.js';
import { connectionTo, connectionUrl } from '../../../src/database/embedded/server-session.js';
import { serverSettings } from '../../../src/database/embedded/server-settings.js';
import { prepareSocketDirectory } from '../../../src/database/embedded/socket-directory.js';
import { runSql } from '../server.js';
import type { TestDatabase } from './database.js';

const folders = [process.env['TEST_PG_BIN_DIR'] ?? '', ...[18, 17, 16, 15].map((v) => `/usr/lib/postgresql/${v}/bin`)];
const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'];

/** The folder of the programs; undefined where they are not installed. */
export const installedBinDir = folders.find((folder) => programs.every((name) => existsSync(join(folder, name))));

const run = promisify(execFile);

export class InstalledPostgres {
  readonly socketDir: string;
  readonly #end: () => Promise<void>;

  private constructor(socketDir: string, end: () => Promise<void>) {
    this.socketDir = socketDir;
    this.#end = end;
  }

  /** It can publish changes, and writes nothing through to the disk. `further` are settings of its own. */
  static async start(further: Readonly<Record<string, string>> = {}): Promise<InstalledPostgres> {
    const path = await mkdtemp(join(inject('testScratch'), 'installed-'));
    await chmod(path, 0o711);
    const directory = await prepareDataDirectory(path);
    const { path: dataDir, account } = directory;
    const binaries = await findBinaries({ binDir: installedBinDir, dataDir, account });
    await prepareCluster(directory, binaries);
    const socketDir = await prepareSocketDirectory(dataDir, account);
    const throwaway = serverSettings({ durable: false, maxConnections: 60 });
    const settings = { ...throwaway, wal_level: 'logical', max_wal_senders: '10', ...further };
    const lock = await lockInstance({ dataDir, purpose: 'serve' });
    await startPostmaster({ directory, binaries, socketDir, settings });
    return new InstalledPostgres(socketDir, async () => {
      await stopPostmaster(directory.clusterDir);
      await lock.release();
      await rm(path, { recursive: true, force: true });
    });
  }

  urlOf(database: string): string {
    return connectionUrl(connectionTo(this.socketDir, database));
  }

  /** A database without any table. */
  async create(name: string): Promise<TestDatabase> {
    await runSql(this.urlOf('postgres'), `CREATE DATABASE ${name}`);
    const drop = async () => {
      await runSql(this.urlOf('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    };
    return { url: this.urlOf(name), drop, [Symbol.asyncDispose]: drop };
  }

  /** Runs a line of a shell in which the tools find the server. Gives what it printed; fails where any part of it does. */
  async shell(line: string): Promise<{ stdout: string; stderr: string }> {
    const { host, port, user } = connectionTo(this.socketDir, 'postgres');
    const environment = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGOPTIONS: '' };
    const path = `${installedBinDir}:${process.env['PATH']}`;
    return run('bash', ['-o', 'pipefail', '-c', line], {
      env: { ...process.env, ...environment, PATH: path },
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  end(): Promise<void> {
    return this.#end();
  }
}
