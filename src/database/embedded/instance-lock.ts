/**
 * Only one Skein process owns a data directory at a time. Each process creates a file whose name is its identity, then
 * lists the directory: if another file names a living process, it removes its own file and does not have the lock.
 * Files of dead processes are removed safely, because identities are never reused. A `kill -9` therefore blocks nobody,
 * a reused process id is not mistaken for the owner, and two processes never both own the directory. Containers that
 * share the directory but not the process ids do not see each other here; for them `socket-directory.ts` also checks
 * whether a server answers on the socket.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, isFileError } from '../../platform/files/system-error.js';
import { identityOf } from './process/identity.js';
import { DatabaseStartError } from './start-error.js';

/** `serve` owns the directory for as long as the service runs, `command` for one command of the command line. */
export type LockPurpose = 'serve' | 'command';

export interface LockHolder {
  purpose: LockPurpose;
  pid: number;
}

export interface InstanceLock {
  release(): Promise<void>;
}

/** Takes the lock, or returns those who hold it or are checking at this moment. Never waits. */
export async function tryLock(dataDir: string, purpose: LockPurpose): Promise<InstanceLock | LockHolder[]> {
  const folder = join(dataDir, 'lock');
  const name = `${purpose}.${identityOf(process.pid)}`;
  const release = () => rm(join(folder, name), { force: true });
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), '', { flag: 'wx' });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return [{ purpose, pid: process.pid }];
    if (!isFileError(error)) throw error;
    throw new DatabaseStartError(
      `Skein cannot write to ${folder}: ${error.message}. Set DATA_DIR to a directory that it may write to.`,
    );
  }
  const others = await livingHolders(folder, name);
  if (others.length === 0) return { release };
  await release();
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
export async function lockInstance(options: LockOptions): Promise<InstanceLock> {
  const { dataDir, purpose, waitMs = 30_000, settleMs = 500 } = options;
  const started = performance.now();
  for (;;) {
    const result = await tryLock(dataDir, purpose);
    if (!Array.isArray(result)) return result;
    const patienceMs = result.some((holder) => holder.purpose === 'serve') ? settleMs : waitMs;
    if (performance.now() - started > patienceMs) {
      throw new DatabaseStartError(
        `Skein already runs on the data directory ${dataDir}: process ${result[0]?.pid}. ` +
          'Stop that one first, or set DATA_DIR (and PORT) to run a second, separate service.',
      );
    }
    await sleep(20 + Math.random() * 60);
  }
}

async function livingHolders(folder: string, except: string): Promise<LockHolder[]> {
  const living: LockHolder[] = [];
  for (const name of await readdir(folder)) {
    const [, purpose, identity, pid] = /^(serve|command)\.((\d+)\.\d+\.[0-9a-f-]+)$/.exec(name) ?? [];
    if (purpose === undefined || name === except) continue;
    const found = identityOf(Number(pid));
    // The second where the process cannot be looked at.
    if (found === identity || found === `${pid}.0.0`)
      living.push({ purpose: purpose as LockPurpose, pid: Number(pid) });
    else await rm(join(folder, name), { force: true });
  }
  return living;
}
