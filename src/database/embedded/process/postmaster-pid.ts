/**
 * Reads `postmaster.pid`, in which PostgreSQL records who serves a cluster, on which socket, and whether it is ready.
 * The file survives a killed server, and its process id may be reused; so a server counts as running only if that
 * process was started on this directory.
 */
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../../platform/files/system-error.js';
import { readProc, sendSignal } from './identity.js';

export interface PostmasterStatus {
  pid: number;
  socketDir: string;
  /** `starting`, `stopping`, `ready` or `standby`; empty while the file is being written. */
  status: string;
}

/** What the file says, whether it is true or not; undefined where it is missing or not yet written. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterStatus | undefined> {
  try {
    const lines = (await readFile(pidFile(clusterDir), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() } : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** True while that process is a PostgreSQL server on this directory. */
export function isPostmasterOf(pid: number, clusterDir: string): boolean {
  if (process.platform === 'linux') {
    const command = readProc(`${pid}/cmdline`)?.split('\0') ?? [];
    return command[command.indexOf('-D') + 1] === clusterDir;
  }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.includes(` -D ${clusterDir} `);
}

/** The server that runs on the directory, or undefined. */
export async function runningPostmaster(clusterDir: string): Promise<PostmasterStatus | undefined> {
  const status = await readPostmasterPid(clusterDir);
  return status !== undefined && isPostmasterOf(status.pid, clusterDir) ? status : undefined;
}

/**
 * Removes the file where its process id belongs to something else today: PostgreSQL would take that for a running
 * server. Any other stale file PostgreSQL clears itself, after it has looked for children that still use the memory.
 */
export async function clearReusedPid(clusterDir: string): Promise<void> {
  const status = await readPostmasterPid(clusterDir);
  if (status === undefined || isPostmasterOf(status.pid, clusterDir) || !sendSignal(status.pid, 0)) return;
  await rm(pidFile(clusterDir), { force: true });
}

function pidFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}
