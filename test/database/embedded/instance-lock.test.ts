/** Who has the data directory: one service or one command at a time, which the others wait for, or are told of. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openCommandDatabase } from '../../../src/database/command-database.js';
import { lockInstance, tryLock } from '../../../src/database/embedded/instance-lock.js';
import { identityOf } from '../../../src/database/embedded/process/identity.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { directoryWithCluster, startServer, temporaryDirectory } from '../sandbox.js';

const it = test.extend('dataDir', () => temporaryDirectory());
const withCluster = test.extend('dataDir', () => directoryWithCluster());

/** A process of which nothing is known but that it lives. */
async function bystander(): Promise<number> {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

/** A child that has ended, of a parent that never asks for it. */
async function deadButNotCollected(): Promise<{ pid: number; startTicks: string | undefined }> {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number((await once(parent.stdout, 'data'))[0]);
  // The shell itself would ask for it: the child must outlive it.
  const isShellGone = async () => expect(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
  await vi.waitFor(isShellGone, { timeout: 30_000 });
  process.kill(pid, 'SIGKILL');
  const look = async () => {
    const found = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    expect(found[0]).toBe('Z');
    return found;
  };
  const fields = await vi.waitFor(look, { timeout: 30_000 });
  return { pid, startTicks: fields[19] };
}

async function holdersIn(dataDir: string): Promise<string[]> {
  return readdir(join(dataDir, 'lock'));
}

async function writeHolder(dataDir: string, name: string): Promise<void> {
  await mkdir(join(dataDir, 'lock'), { recursive: true });
  await writeFile(join(dataDir, 'lock', name), '');
}

describe('the lock of the data directory', () => {
  it('is held by one at a time, and is free after its release', async ({ dataDir }) => {
    const lock = await lockInstance({ dataDir, purpose: 'serve' });
    await expect(lockInstance({ dataDir, purpose: 'serve', settleMs: 50 })).rejects.toThrow(`process ${process.pid}.`);
    await lock.release();
    await (await lockInstance({ dataDir, purpose: 'serve' })).release();
    expect(await holdersIn(dataDir)).toEqual([]);
  });

  it('is not held by a process that is dead, or a zombie that its parent has not yet collected', async () => {
    const dataDir = await temporaryDirectory();
    const boot = identityOf(process.pid)?.split('.')[2];
    const zombie = await deadButNotCollected();
    await writeHolder(dataDir, `serve.4194305.1234.${boot}`);
    await writeHolder(dataDir, `serve.${zombie.pid}.${zombie.startTicks}.${boot}`);
    await (await lockInstance({ dataDir, purpose: 'serve' })).release();
    expect(await holdersIn(dataDir)).toEqual([]);
  });

  it('is not held by a process that reuses the id of a dead one, or one from before a reboot', async ({ dataDir }) => {
    const pid = await bystander();
    const boot = identityOf(process.pid)?.split('.')[2];
    await writeHolder(dataDir, `serve.${pid}.1.${boot}`);
    await writeHolder(dataDir, `serve.${pid}.1.00000000-0000-0000-0000-000000000000`);
    await (await lockInstance({ dataDir, purpose: 'serve' })).release();
  });

  it('lets a service wait for a command, but not for ever', async ({ dataDir }) => {
    const command = await tryLock(dataDir, 'command');
    if (Array.isArray(command)) throw new Error('the directory was not free');
    const impatient = lockInstance({ dataDir, purpose: 'serve', waitMs: 100 });
    await expect(impatient).rejects.toThrow('already runs');
    const waiting = lockInstance({ dataDir, purpose: 'serve' });
    await command.release();
    await (await waiting).release();
  });

  it('is held by exactly one of several processes that start together', async ({ dataDir }) => {
    const program = join(import.meta.dirname, '../programs/lock.ts');
    const contenders = [1, 2, 3].map(() => spawn(process.execPath, ['--import', 'tsx', program, dataDir]));
    onTestFinished(() => contenders.forEach((contender) => void contender.kill('SIGKILL')));
    const answers = await Promise.all(
      contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
    );
    expect(answers.sort()).toEqual(['locked', 'refused', 'refused']);
  });
});

describe('a command of the command line', () => {
  withCluster('uses the database of the running service and leaves it running', async ({ dataDir }) => {
    const service = await startServer(dataDir);
    const database = await openCommandDatabase({ dataDir, logger });
    expect(database.url).toBe(service.url);
    await runSql(database.url, 'CREATE TABLE made_by_command ()');
    await database.close();
    expect(await runSql(service.url, 'SELECT count(*)::int FROM made_by_command')).toEqual([{ count: 0 }]);
  });

  withCluster('starts the database if no service runs, and stops it at its end', async ({ dataDir }) => {
    const database = await openCommandDatabase({ dataDir, logger });
    expect(await runSql(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  withCluster(
    'waits for its turn while another command is at work, instead of sharing a server that will be stopped',
    async ({ dataDir }) => {
      const first = await openCommandDatabase({ dataDir, logger });
      let opened = false;
      const second = openCommandDatabase({ dataDir, logger }).then((database) => {
        opened = true;
        return database;
      });
      await runSql(first.url, 'SELECT pg_sleep(0.2)');
      expect(opened).toBe(false);
      await first.close();
      const database = await second;
      expect(await runSql(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await database.close();
    },
  );

  withCluster(
    'says whom it waits for, and gives up, if a service holds the directory but its database does not become ready',
    async ({ dataDir }) => {
      const lock = await tryLock(dataDir, 'serve');
      if (Array.isArray(lock)) throw new Error('the directory was not free');
      const lines: string[] = [];
      const logger = pino({}, { write: (line) => lines.push(line) });
      const open = openCommandDatabase({ dataDir, logger, waitMs: 1000 });
      const busy = `The process ${process.pid} has the data directory ${dataDir}, and its database has not become ready.`;
      await expect(open).rejects.toThrow(busy);
      expect(lines).toEqual([expect.stringContaining(`${busy} Waiting for it for up to 1 s.`)]);
      await lock.release();
    },
  );
});
