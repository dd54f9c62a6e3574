/**
 * The PostgreSQL server of a cluster. It is detached, so that Ctrl+C in a terminal reaches Skein alone, which stops it last. It
 * therefore outlives a Skein that is killed; the next start stops it first.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from '../binaries.js';
import type { DataDirectory } from '../data-directory.js';
import { refuseForeignServer } from '../socket-directory.js';
import { explainStartFailure, isLeftoverFailure } from '../start-error.js';
import { sendSignal } from './identity.js';
import { clearReusedPid, isPostmasterOf, readPostmasterPid, runningPostmaster } from './postmaster-pid.js';
import { programOptions } from './run-program.js';

export interface Postmaster {
  pid: number;
  /** Settles when the server has ended, however it did. */
  exited: Promise<void>;
}

export interface StartPostmasterOptions {
  directory: DataDirectory;
  binaries: Binaries;
  socketDir: string;
  /** Settings of the server, by name; they win over its configuration file. */
  settings: Record<string, string>;
}

/** How long children of a killed server may take to exit. */
const leftoverMs = 10_000;

/**
 * Starts a server, in place of one that a killed process left behind, and waits until it accepts connections. Recovery after a
 * crash may take its time; it is waited for.
 */
export async function startPostmaster(options: StartPostmasterOptions): Promise<Postmaster> {
  const { clusterDir } = options.directory;
  const deadline = performance.now() + leftoverMs;
  for (;;) {
    await stopPostmaster(clusterDir);
    await refuseForeignServer(options.socketDir);
    await clearReusedPid(clusterDir);
    const result = await startOnce(options);
    if (typeof result !== 'string') return result;
    if (!isLeftoverFailure(result) || performance.now() > deadline) throw explainStartFailure(result, clusterDir);
    await sleep(75);
  }
}

/** Returns what a server said that ended before it was ready. */
async function startOnce(options: StartPostmasterOptions): Promise<Postmaster | string> {
  const { clusterDir } = options.directory;
  const child = spawnDetached(options);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve()).once('error', reject);
  });
  const ended = exited.then(() => true);
  while (!(await Promise.race([ended, sleep(10)]))) {
    const found = await readPostmasterPid(clusterDir);
    if (child.pid === undefined || found?.pid !== child.pid || found.status !== 'ready') continue;
    // Its log collector has taken over; a pipe that nobody reads would stop it one day.
    child.stderr.destroy();
    return { pid: child.pid, exited };
  }
  return output.includes('redirecting log output') ? readLog(clusterDir) : output;
}

function spawnDetached({ binaries, directory, socketDir, settings }: StartPostmasterOptions) {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A list of directories: unquoted, a comma would divide it, and spaces around it would be lost.
  const socketDirs = `"${socketDir.replaceAll('"', '""')}"`;
  const child = spawn(binaries.postgres, ['-D', directory.clusterDir, '-k', socketDirs, ...flags], {
    ...programOptions({ account: directory.account, environment: binaries.environment }),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.unref();
  return child;
}

/** What the log collector wrote since the last start, into the file of the weekday. */
async function readLog(clusterDir: string): Promise<string> {
  const file = join(clusterDir, 'log', `postgres-${new Date().toUTCString().slice(0, 3)}.log`);
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  return text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL')));
}

/**
 * Ends the server that runs on the cluster, if any: sessions are cut and committed data is written out (SIGINT, "fast"). One that
 * does not end in time is told to stop at once (SIGQUIT); it recovers at its next start, and nothing that was committed is lost.
 */
export async function stopPostmaster(clusterDir: string): Promise<void> {
  const running = await runningPostmaster(clusterDir);
  if (!running) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const deadline = performance.now() + 15_000;
    if (isPostmasterOf(running.pid, clusterDir)) sendSignal(running.pid, signal);
    while (performance.now() < deadline) {
      if (!isPostmasterOf(running.pid, clusterDir)) return;
      await sleep(10);
    }
  }
  throw new Error(`PostgreSQL (process ${running.pid}) did not stop`);
}
