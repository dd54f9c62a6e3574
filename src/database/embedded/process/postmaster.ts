/**
 * A running PostgreSQL server, started here or left behind by a killed Skein process. It is detached, so that it
 * survives a crash of Skein and can be adopted without recovery.
 */
import { spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withinMs } from '../../../platform/async/time-limit.js';
import { hasCode } from '../../../platform/files/system-error.js';
import type { Binaries } from '../binaries.js';
import type { DataDirectory } from '../data-directory.js';
import { readServerLog, startLog } from '../server-log.js';
import { explainStartFailure, isLeftoverFailure } from '../start-error.js';
import { clearReusedPid, isPostmasterOf, readPostmasterPid } from './postmaster-pid.js';
import { identityOf, plainEnvironment } from './run-program.js';

export interface Postmaster {
  pid: number;
  clusterDir: string;
  socketDir: string;
  /** Whether it was already running. */
  adopted: boolean;
  /** Settles when the server has ended, however it did. */
  exited: Promise<void>;
}

export interface StartPostmasterOptions {
  directory: DataDirectory;
  binaries: Binaries;
  socketDir: string;
  /** Settings of the server, by name; they win over its configuration file. */
  settings: Record<string, string>;
  /** How long to retry while children of a killed server exit. */
  retryMs?: number;
}

/** Starts a server and waits until it accepts connections. Recovery after a crash may take its time; it is waited for. */
export async function startPostmaster(options: StartPostmasterOptions): Promise<Postmaster> {
  const deadline = Date.now() + (options.retryMs ?? 10_000);
  for (;;) {
    const result = await startOnce(options);
    if ('pid' in result) return result;
    if (!isLeftoverFailure(result.output) || Date.now() > deadline) {
      throw explainStartFailure(result.output, options.directory.clusterDir);
    }
    await sleep(75);
  }
}

async function startOnce(options: StartPostmasterOptions): Promise<Postmaster | { output: string }> {
  const { clusterDir } = options.directory;
  await clearReusedPid(clusterDir);
  const child = spawnDetached(options);
  const exited = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
  let running = true;
  const ended = exited.finally(() => {
    running = false;
  });
  while (running) {
    const status = await readPostmasterPid(clusterDir);
    if (child.pid !== undefined && status?.pid === child.pid && status.status === 'ready') {
      return { pid: child.pid, clusterDir, socketDir: options.socketDir, adopted: false, exited };
    }
    await Promise.race([sleep(10), ended]);
  }
  return { output: await readServerLog(options.directory) };
}

function spawnDetached({ binaries, directory, socketDir, settings }: StartPostmasterOptions) {
  const log = openSync(startLog(directory), 'w', 0o600);
  try {
    if (directory.account) fchownSync(log, directory.account.uid, directory.account.gid);
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(binaries.postgres, ['-D', directory.clusterDir, '-k', oneOf(socketDir), ...flags], {
      ...identityOf(directory.account),
      cwd: '/',
      env: { ...plainEnvironment, ...binaries.environment },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** One directory as PostgreSQL writes a list of them: unquoted, a comma would divide it, and spaces around it would be lost. */
function oneOf(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`;
}

/** A server that runs already, as the process that adopts it sees it. */
export function adoptPostmaster(status: { pid: number; socketDir: string }, clusterDir: string): Postmaster {
  return {
    pid: status.pid,
    clusterDir,
    socketDir: status.socketDir,
    adopted: true,
    exited: gone(status.pid, clusterDir),
  };
}

async function gone(pid: number, clusterDir: string): Promise<void> {
  while (isPostmasterOf(pid, clusterDir)) await sleep(250, undefined, { ref: false });
}

/**
 * Ends a server: sessions are cut and committed data is written out (SIGINT, "fast"). One that does not end in time is told
 * to stop at once (SIGQUIT); it recovers at its next start, and nothing that was committed is lost.
 */
export async function stopPostmaster(postmaster: Postmaster, limitMs = 15_000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    send(postmaster, signal);
    const ended = await withinMs(
      limitMs,
      postmaster.exited.then(() => true),
    );
    if (ended) return;
  }
  throw new Error(`PostgreSQL (process ${postmaster.pid}) did not stop`);
}

function send({ pid, clusterDir }: Postmaster, signal: NodeJS.Signals): void {
  if (!isPostmasterOf(pid, clusterDir)) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
