/**
 * Only one Skein process owns a data directory at a time. Each process creates a file whose name is its identity, then
 * lists the directory: if another file names a living process, it removes its own file and does not have the lock.
 * Files of dead processes are removed safely, because identities are never reused. A `kill -9` therefore blocks nobody,
 * a reused process id is not mistaken for the owner, and two processes never both own the directory. Containers that
 * share the directory but not the process ids do not see each other here; for them `socket-directory.ts` also checks
 * whether a server answers on the socket.
 */
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../../platform/files/system-error.js';
import { isAlive, type ProcessIdentity, thisProcess } from './process/identity.js';
import { DatabaseStartError } from './start-error.js';

/** `serve` owns the directory for as long as the service runs, `command` for one command of the command line. */
export type LockPurpose = 'serve' | 'command';

export interface LockHolder extends ProcessIdentity {
  purpose: LockPurpose;
}

export interface InstanceLock {
  release(): Promise<void>;
}

/** Takes the lock, or returns those who hold it or are checking at this moment. Never waits. */
export async function tryLock(dataDir: string, purpose: LockPurpose): Promise<InstanceLock | LockHolder[]> {
  const folder = join(dataDir, 'lock');
  await mkdir(folder, { recursive: true });
  const self: LockHolder = { purpose, ...thisProcess() };
  const file = join(folder, fileName(self));
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return [self];
    throw hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC') ? unusable(folder, error) : error;
  }
  const others = await livingHolders(folder, fileName(self));
  if (others.length === 0) return { release: () => rm(file, { force: true }) };
  await rm(file, { force: true });
  return others;
}

export interface LockOptions {
  dataDir: string;
  purpose: LockPurpose;
  /** How long to wait for a command of the command line that is at work. */
  waitMs?: number;
  /** How long to retry if another service has the lock: two that start together see each other. */
  settleMs?: number;
}

/** Takes the lock for a service, or throws: another service has the directory, or a command does not end. */
export async function lockInstance({
  dataDir,
  purpose,
  waitMs = 30_000,
  settleMs = 500,
}: LockOptions): Promise<InstanceLock> {
  const started = Date.now();
  for (;;) {
    const result = await tryLock(dataDir, purpose);
    if (!Array.isArray(result)) return result;
    const patienceMs = result.some((holder) => holder.purpose === 'serve') ? settleMs : waitMs;
    if (Date.now() - started > patienceMs) throw inUse(dataDir, result);
    await sleep(20 + Math.random() * 60);
  }
}

function inUse(dataDir: string, [holder]: LockHolder[]): DatabaseStartError {
  return new DatabaseStartError(
    `Skein already runs on the data directory ${dataDir}: process ${holder?.pid}. ` +
      'Stop that one first, or set DATA_DIR (and PORT) to run a second, separate service.',
  );
}

function unusable(folder: string, error: unknown): DatabaseStartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseStartError(
    `Skein cannot write to ${folder}: ${reason}. Set DATA_DIR to a directory that it may write to.`,
  );
}

async function livingHolders(folder: string, except: string): Promise<LockHolder[]> {
  const living: LockHolder[] = [];
  for (const name of await readdir(folder)) {
    const holder = name === except ? undefined : parseName(name);
    if (holder === undefined) continue;
    if (isAlive(holder)) living.push(holder);
    else await rm(join(folder, name), { force: true });
  }
  return living;
}

function fileName({ purpose, pid, startTicks, boot }: LockHolder): string {
  return `${purpose}.${pid}.${startTicks}.${boot}`;
}

function parseName(name: string): LockHolder | undefined {
  const match = /^(serve|command)\.(\d+)\.(\d+)\.([0-9a-f-]+)$/.exec(name);
  if (!match) return undefined;
  const [, purpose, pid, startTicks, boot = ''] = match;
  return { purpose: purpose === 'serve' ? 'serve' : 'command', pid: Number(pid), startTicks: Number(startTicks), boot };
}
