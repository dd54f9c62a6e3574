/**
 * `npm start` under whatever ends it. npm gives its child a shell and passes signals on: a supervisor that signals npm alone must
 * not leave a service behind, and one that signals the whole group must not end it at once because the signal comes twice.
 * `docs/docs-commands.test.ts` signals the group where it is one process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { livingPids } from './group.js';
import { dataDirectory } from './program.js';

describe('npm start', () => {
  it.each([
    ['npm alone', '1', (pid: number) => pid],
    ['the whole group, with two processes that serve', '2', (pid: number) => -pid],
  ])('ends cleanly with its database where SIGTERM reaches %s', { timeout: 120_000 }, async (_, PROCESSES, target) => {
    const directory = await dataDirectory();
    await copySchemaCluster(directory.path);
    const settings = { PORT: '0', PROCESSES, DATA_DIR: directory.path };
    const npm = spawn('npm', ['start', '--silent'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    let isClosed = false;
    const closed = once(npm, 'close').then(([status]) => {
      isClosed = true;
      return status;
    });
    onTestFinished(async () => {
      if (!isClosed && npm.pid) process.kill(-npm.pid, 'SIGKILL');
      await directory.remove();
    });
    await vi.waitFor(() => expect(said).toContain('serving REST'), { timeout: 90_000 });
    const postmaster = join(directory.path, 'postgres/postmaster.pid');
    expect(existsSync(postmaster)).toBe(true);
    process.kill(target(npm.pid ?? 0), 'SIGTERM');
    expect(await closed, said).toBe(0);
    expect(existsSync(postmaster), said).toBe(false);
    expect(livingPids({ stderr: said })).toEqual([]);
    expect(said).not.toMatch(/"level":[56]0/);
  });
});
