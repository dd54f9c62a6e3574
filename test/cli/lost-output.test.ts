/** Standard output and standard error that nobody reads any more, or that have no room, end neither a service nor a command midway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database/database.js';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { dataDirectory, end, type Finished, serve } from './program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function newDirectory(): Promise<string> {
  const directory = await dataDirectory();
  onTestFinished(() => directory.remove());
  await copySchemaCluster(directory.path);
  return directory.path;
}

/** Runs a command whose standard output has no room. */
async function onFullDisk(words: readonly string[], variables: Record<string, string>): Promise<Finished> {
  const full = await open('/dev/full', 'w');
  const env = { PATH: process.env['PATH'], ...variables };
  const child = spawn(process.execPath, ['scripts/launch.mjs', ...words], {
    cwd: root,
    env,
    stdio: ['ignore', full.fd, 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  await full.close();
  return { status, stdout: '', stderr };
}

describe('output that nobody reads', () => {
  it('leaves a service running, which ends with its database as it should', async () => {
    const DATA_DIR = await newDirectory();
    const service = await serve({ DATA_DIR, LOG_LEVEL: 'debug' });
    service.child.stdout?.destroy();
    service.child.stderr?.destroy();
    // Each request writes to the log.
    for (const path of ['/readyz', '/api/v1/me', '/readyz']) await fetch(`${service.url}${path}`);
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
    // As when a terminal is closed.
    expect(await end(service, 'SIGHUP')).toBe(0);
    await expect(access(join(DATA_DIR, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });
});

describe('output that has no room', () => {
  it('fails a command, in words', async () => {
    await using database = await createTestDatabase();
    const words = ['org', 'create', '--slug', 'acme', '--name', 'Acme'];
    expect(await onFullDisk(words, { DATABASE_URL: database.url })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Standard output takes no more: ENOSPC[^\n]*\n$/),
    });
  });
});
