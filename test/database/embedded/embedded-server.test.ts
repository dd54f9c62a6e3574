import { spawn } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { identityOf } from '../../../src/database/embedded/process/identity.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { directoryWithCluster, isRoot, startProgram, startServer, temporaryDirectory } from '../sandbox.js';

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

  it('restarts a killed server and keeps every committed row', async () => {
    const dataDir = await directoryWithCluster();
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

  it('starts if the process id of a dead server now belongs to another program', async () => {
    const dataDir = await directoryWithCluster();
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
