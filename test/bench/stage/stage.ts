/**
 * What the benchmarks run on: an embedded PostgreSQL of their own in a temporary folder, written through to the disk as in
 * production, and the processes that a benchmark starts. All of it is gone at the end, however that comes.
 */
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { clusterDirectory } from '../../../src/database/embedded/data-directory.js';
import { isPostmasterOf, runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { databaseUrl, runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { Child } from './child.js';

/** The service is measured as `npm start` runs it. */
export const flagsOfStart: readonly string[] = manifest.scripts.start.match(/--\S+/g) ?? [];

export interface ServiceOptions {
  /** Undefined: the node has an embedded database for itself alone. */
  databaseUrl?: string;
  environment?: Record<string, string>;
  /** As `ProcessSettings` of the service. */
  settings?: object;
}

/** Limits count as always, but a benchmark may ask more in a minute than any honest caller. */
export const beyondReach = {
  REQUESTS_PER_TOKEN: '999999999',
  MESSAGES_PER_USER: '999999999',
  MESSAGES_PER_ORGANIZATION: '999999999',
};

export class Stage {
  readonly #folder: string;
  readonly #server: EmbeddedServer;
  readonly #postmaster: number;
  readonly #removeNow: () => void;
  readonly #children: Child[] = [];
  #names = 0;

  private constructor(folder: string, server: EmbeddedServer, postmaster: number, removeNow: () => void) {
    this.#folder = folder;
    this.#server = server;
    this.#postmaster = postmaster;
    this.#removeNow = removeNow;
  }

  /** `parent` is the folder that it makes its own in. */
  static async open(parent: string): Promise<Stage> {
    const folder = await mkdtemp(join(parent, 'skein-bench-'));
    await chmod(folder, 0o711);
    const dataDir = join(folder, 'shared');
    const server = await startEmbeddedServer({ dataDir, logger, maxConnections: 200 });
    const pid = (await runningPostmaster(clusterDirectory(dataDir)))?.pid;
    if (pid === undefined) throw new Error('The database of the benchmarks has ended.');
    const removeNow = () => {
      if (isPostmasterOf(pid, clusterDirectory(dataDir))) process.kill(pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    };
    process.once('exit', removeNow);
    return new Stage(folder, server, pid, removeNow);
  }

  /** An empty database, for all nodes that are given its URL. */
  async createDatabase(): Promise<string> {
    this.#names += 1;
    const name = `bench_${this.#names}`;
    await runSql(this.#server.url, `CREATE DATABASE ${name} TEMPLATE template0`);
    return databaseUrl(this.#server.url, name);
  }

  /** A place for a data directory that does not exist yet; it is gone at the end. */
  dataDirectory(): string {
    this.#names += 1;
    return join(this.#folder, `alone-${this.#names}`);
  }

  /** The processor time of the shared PostgreSQL, in milliseconds. */
  postgresCpuMs(): Promise<number> {
    return postgresCpuMs(this.#postmaster);
  }

  /** A node of the built service. Its log is kept to what is wrong. */
  startService({ databaseUrl, environment, settings = {} }: ServiceOptions): Promise<Child> {
    const database = databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: this.dataDirectory() };
    // What is written by hand beside it names no threads either.
    const fixed = {
      ...beyondReach,
      AI_THREAD_NAMES: 'off',
      PORT: '0',
      LOG_LEVEL: 'warn',
      BENCH_SETTINGS: JSON.stringify(settings),
    };
    return this.#start('service.mjs', { ...fixed, ...database, ...environment }, flagsOfStart);
  }

  startProgram(program: string, environment: Record<string, string> = {}): Promise<Child> {
    return this.#start(program, environment, []);
  }

  async #start(...[program, environment, flags]: Parameters<typeof Child.start>): Promise<Child> {
    const child = await Child.start(program, environment, flags);
    this.#children.push(child);
    return child;
  }

  /** Ends the processes that run. */
  async endPrograms(): Promise<void> {
    await Promise.all(this.#children.splice(0).map((child) => child.end()));
  }

  async close(): Promise<void> {
    await this.endPrograms();
    await this.#server.stop();
    process.off('exit', this.#removeNow);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Resolves when no response of the database is waiting or under way. */
export async function idle(databaseUrl: string): Promise<void> {
  const busy = "SELECT 1 FROM thread WHERE state IN ('waiting', 'active') LIMIT 1";
  while ((await runSql(databaseUrl, busy)).length > 0) await sleep(20);
}

/** Milliseconds in a tick of the processor times that Linux tells. */
const tickMs = 10;

/** The processor time of the processes of a PostgreSQL that are there, in milliseconds; 0 where the system is not Linux. */
export async function postgresCpuMs(postmaster: number): Promise<number> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const times = await Promise.all(processes.map((id) => cpuMsOfChild(id, postmaster)));
  return times.reduce((sum, ms) => sum + ms, 0);
}

async function cpuMsOfChild(id: string, parent: number): Promise<number> {
  // It may have ended since.
  const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  // The name of the program comes first, in parentheses, and may contain anything (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parentId, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  return parentId === parent ? ((user ?? 0) + (system ?? 0)) * tickMs : 0;
}
