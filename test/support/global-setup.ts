/**
 * One PostgreSQL for the whole run of the tests, in a temporary directory, with a migrated database that every test file clones.
 * It does not survive the run, however that ends: an interrupt stops it at exit, and what a killed run left behind is
 * removed by the next. TEST_DATABASE_URL names a server to use instead.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { clusterDirectory } from '../../src/database/embedded/data-directory.js';
import { tryLock } from '../../src/database/embedded/instance-lock.js';
import { stopPostmaster } from '../../src/database/embedded/process/postmaster.js';
import { isPostmasterOf, runningPostmaster } from '../../src/database/embedded/process/postmaster-pid.js';
import { startEmbeddedServer } from '../../src/database/embedded/server.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { hasCode } from '../../src/platform/files/system-error.js';
import { databaseUrl, runSql } from './server.js';
import { temporaryFolder } from './temporary-folder.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The maintenance database of the tests' server. */
    testServerUrl: string;
    /** The name of the migrated database there, for cloning. */
    testTemplate: string;
    /** A folder for what files of tests share; it goes when the run ends. */
    testScratch: string;
  }
}

/** `skein-test-` is this server, `skein-dir-` are the directories of the tests of the embedded database. */
const prefixes = ['skein-test-', 'skein-dir-'];
/** That there is nothing to make again is found out once, not by each service that starts. */
const alreadyRebuilt = `INSERT INTO search_rebuild (table_name, finished_at) VALUES ('thread', now()), ('message', now())`;
const logger = pino({ level: 'warn' });

interface TestServer {
  url: string;
  stop(): Promise<void>;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env['TEST_DATABASE_URL'];
  const server = external === undefined ? await startThrowawayServer() : externalServer(external);
  const template = `skein_template_${process.pid}`;
  await runSql(server.url, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template} TEMPLATE template0`);
  await migrate({ url: databaseUrl(server.url, template), logger });
  await runSql(databaseUrl(server.url, template), alreadyRebuilt);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', template);
  const scratch = await mkdtemp(join(await temporaryFolder(), 'skein-scratch-'));
  await chmod(scratch, 0o711);
  project.provide('testScratch', scratch);
  return async () => {
    await rm(scratch, { recursive: true, force: true });
    await runSql(server.url, `DROP DATABASE IF EXISTS ${template}`);
    await server.stop();
  };
}

function externalServer(url: string): TestServer {
  return { url, stop: async () => undefined };
}

async function startThrowawayServer(): Promise<TestServer> {
  const folder = await temporaryFolder();
  await removeLeftovers(folder);
  const dataDir = join(folder, `${prefixes[0]}${randomBytes(6).toString('hex')}`);
  const server = await startEmbeddedServer({ dataDir, logger, durable: false, maxConnections: 200 });
  const pid = (await runningPostmaster(clusterDirectory(dataDir)))?.pid;
  const removeNow = () => {
    if (pid !== undefined && isPostmasterOf(pid, clusterDirectory(dataDir))) process.kill(pid, 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', removeNow);
  const stop = async () => {
    await server.stop();
    process.off('exit', removeNow);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: databaseUrl(server.url, 'postgres'), stop };
}

/**
 * Removes the servers of killed runs. A server of a live run may be without its lock, because it was just created or is
 * between two starts of a program, so only those older than any test are removed.
 */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const dataDir = join(folder, name);
    if (!prefixes.some((prefix) => name.startsWith(prefix)) || !(await isOldAndOurs(dataDir))) continue;
    const lock = await tryLock(dataDir, 'command');
    if (Array.isArray(lock)) continue;
    await stopPostmaster(clusterDirectory(dataDir));
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** False where it is gone meanwhile, because the run that it belongs to has ended. */
async function isOldAndOurs(directory: string): Promise<boolean> {
  try {
    const { mtimeMs, uid } = await stat(directory);
    return Date.now() - mtimeMs > 900_000 && uid === process.geteuid?.();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
