import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { identityOf } from '../../../src/database/embedded/process/identity.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { explainStartFailure } from '../../../src/database/embedded/start-error.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { directoryWithCluster, isRoot, startProgram, startServer, temporaryDirectory } from '../sandbox.js';

const it = test.extend('dataDir', () => directoryWithCluster());

const createTable = 'CREATE TABLE note (text text)';
const insert = "INSERT INTO note VALUES ('committed')";
const select = 'SELECT text FROM note';
const committed = [{ text: 'committed' }];

async function postmasterPid(dataDir: string): Promise<number> {
  const running = await runningPostmaster(join(dataDir, 'postgres'));
  if (!running) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  return running.pid;
}

describe('the embedded database', () => {
  it('is made anew where a killed start left half of a cluster, and keeps what was committed from one start to the next', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    await mkdir(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
    const first = await startServer(dataDir);
    expect(await readdir(dataDir)).not.toContain('postgres.unfinished');
    await runSql(first.url, createTable, insert);
    await first.stop();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();

    const second = await startServer(dataDir);
    expect(await runSql(second.url, select)).toEqual(committed);
  });

  it('is durable, checked against damage, independent of the locale of the machine, and closed to the network', async () => {
    const { url } = await startServer(await directoryWithCluster());
    const rows = await runSql(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums',
         'listen_addresses', 'server_encoding', 'logging_collector', 'max_connections') ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'logging_collector', setting: 'on' },
      { name: 'max_connections', setting: '50' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    expect(await runSql(url, "SELECT lower('ÄÉЖ') AS lower, 'Z' < 'a' AS by_code_point")).toEqual([
      { lower: 'äéж', by_code_point: true },
    ]);
  });

  it('is reached without encryption, whatever PGSSLMODE says of other servers', async ({ dataDir }) => {
    vi.stubEnv('PGSSLMODE', 'require');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url } = await startServer(dataDir);
    expect(await runSql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses a second service on its directory, and replaces the server that a killed process left behind, with all that was committed', async () => {
    const dataDir = await directoryWithCluster();
    const service = await startProgram('serve.ts', [dataDir]);
    await expect(startServer(dataDir)).rejects.toThrow(
      `Skein already runs on the data directory ${dataDir}: process ${service.process.pid}. Stop that one first`,
    );
    await runSql(service.result.url ?? '', createTable, insert);
    const left = await postmasterPid(dataDir);
    await service.end('SIGKILL');
    // As a temporary folder that was cleaned up.
    await rm(join(dataDir, 'run', '.s.PGSQL.5432'));

    const server = await startServer(dataDir, { maxConnections: 77 });
    expect(identityOf(left)).toBeUndefined();
    expect(await runSql(server.url, 'SHOW max_connections')).toEqual([{ max_connections: '77' }]);
    expect(await runSql(server.url, select)).toEqual(committed);
    await server.stop();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('restarts a killed server and keeps every committed row', async ({ dataDir }) => {
    const { url } = await startServer(dataDir);
    await runSql(url, createTable, insert);
    const killed = await postmasterPid(dataDir);
    process.kill(killed, 'SIGKILL');

    await vi.waitFor(async () => expect(await runSql(url, select)).toEqual(committed), {
      timeout: 30_000,
      interval: 50,
    });
    expect(await postmasterPid(dataDir)).not.toBe(killed);
  });

  it('restarts a server that was asked to stop when its last session ends, which may be never', async ({ dataDir }) => {
    const { url } = await startServer(dataDir);
    await runSql(url, createTable, insert);
    const session = new pg.Client(url);
    session.on('error', () => undefined);
    await session.connect();
    const asked = await postmasterPid(dataDir);
    process.kill(asked, 'SIGTERM');

    await expect.poll(() => postmasterPid(dataDir)).not.toBe(asked);
    await expect.poll(() => runSql(url, select)).toEqual(committed);
  });

  it('starts if the process id of a dead server now belongs to another program', async ({ dataDir }) => {
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    onTestFinished(() => void other.kill());
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = [other.pid, join(dataDir, 'postgres'), 1, 5432, join(dataDir, 'run'), '', '  0 0', 'ready   ', ''];
    await writeFile(pidFile, lines.join('\n'));

    const { url } = await startServer(dataDir);
    expect(await runSql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('listens in a short directory if the path of the data directory is too long for a socket', async () => {
    const dataDir = join(await temporaryDirectory(), 'long'.repeat(30));
    await copySchemaCluster(dataDir);
    const server = await startServer(dataDir);
    const socketDir = new URL(server.url).searchParams.get('host') ?? '';
    expect(socketDir).toMatch(/^\/tmp\/skein-/);
    expect(await runSql(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await rm(socketDir, { recursive: true });
  });
});

describe('the embedded database refuses, and says what to do,', () => {
  it('a cluster of another major version', async ({ dataDir }) => {
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    await expect(startServer(dataDir)).rejects.toThrow(
      /was made by PostgreSQL 14, and this is PostgreSQL \d+.*set PG_BIN_DIR/s,
    );
    expect(await readdir(join(dataDir, 'lock'))).toEqual([]);
  });

  it('a directory that is not a cluster', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'precious'), 'data');
    await expect(startServer(dataDir)).rejects.toThrow(/is not a PostgreSQL cluster: PG_VERSION is missing/);
    expect(await readFile(join(dataDir, 'postgres', 'precious'), 'utf8')).toBe('data');
  });

  it('a cluster whose version was lost with the power', async ({ dataDir }) => {
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '');
    await expect(startServer(dataDir)).rejects.toThrow(/PG_VERSION is missing or damaged.*restore it from a backup/);
  });

  it('a directory whose "run" is of another use', async ({ dataDir }) => {
    await mkdir(join(dataDir, 'run'), { mode: 0o755 });
    await writeFile(join(dataDir, 'run', 'precious'), 'data');
    await expect(startServer(dataDir)).rejects.toThrow(/holds "precious".*Set DATA_DIR to a directory of its own/);
    expect((await stat(join(dataDir, 'run'))).mode & 0o777).toBe(0o755);
  });

  it('a database whose server is out of sight, as in another container', async ({ dataDir }) => {
    await mkdir(join(dataDir, 'run'));
    const foreign = createServer().listen(join(dataDir, 'run', '.s.PGSQL.5432'));
    await once(foreign, 'listening');
    onTestFinished(() => void foreign.close());
    await expect(startServer(dataDir)).rejects.toThrow(/probably another container/);
  });

  it('files that a setting makes unusable, with the last words of PostgreSQL', async ({ dataDir }) => {
    await writeFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'no_such_setting = on\n');
    await expect(startServer(dataDir)).rejects.toThrow(
      /did not start on .*unrecognized configuration parameter "no_such_setting"/s,
    );
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

const said = {
  'could not write to file "pg_wal/xlogtemp.31": No space left on device': /The disk is full\. Free some space there/,
  'could not extend file "base/5/16384": wrote only 4096 of 8192 bytes': /The disk is full/,
  'FATAL:  could not map anonymous shared memory: Cannot allocate memory': /too little memory\. Set DATABASE_MEMORY/,
  'PANIC:  could not locate a valid checkpoint record at 0/1B80D98': /The files are damaged\. Restore a backup/,
  'data directory "/data/postgres" has wrong ownership': /belong to another account/,
  'FATAL:  something never seen before': /Its last words are below/,
};

describe('a failed start of PostgreSQL', () => {
  it.each(Object.entries(said))('says what to do about "%s", and repeats it', (words, advice) => {
    const { message } = explainStartFailure(`LOG:  starting PostgreSQL 18.4\n${words}\n`, '/data/postgres');
    expect(message).toMatch(advice);
    expect(message).toContain(words);
  });
});
