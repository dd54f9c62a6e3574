/** What the tests of the embedded database share: directories that go away, and programs that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { findBinaries } from '../../src/database/embedded/binaries.js';
import { clusterDirectory } from '../../src/database/embedded/data-directory.js';
import { stopPostmaster } from '../../src/database/embedded/process/postmaster.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/database/embedded/server.js';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { logger } from '../support/silent-logger.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runAsVariable } from './programs/run-as.js';

export const isRoot = process.geteuid?.() === 0;

/** Any account without rights: its numbers are the same on every Linux. */
export const nobody = { uid: 65534, gid: 65534 };

/** A directory for one test. A database that still runs in it is stopped before it is removed. */
export async function temporaryDirectory(owner?: { uid: number; gid: number }): Promise<string> {
  const directory = await mkdtemp(join(await temporaryFolder(), 'skein-dir-'));
  await chmod(directory, 0o711);
  if (owner) await chown(directory, owner.uid, owner.gid);
  onTestFinished(async () => {
    await stopPostmaster(clusterDirectory(directory));
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A directory for one test that has a cluster already. */
export async function directoryWithCluster(): Promise<string> {
  const directory = await temporaryDirectory();
  await copySchemaCluster(directory);
  return directory;
}

/** The embedded database in this process, stopped at the end of the test. */
export async function startServer(
  dataDir: string,
  options: { binDir?: string; maxConnections?: number } = {},
): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ dataDir, logger, ...options });
  onTestFinished(() => server.stop());
  return server;
}

interface Outcome {
  url?: string;
  error?: string;
}

export interface Program {
  process: ChildProcess;
  /** The first line that the program printed, which is JSON. */
  result: Outcome & { outcomes?: Outcome[] } & Record<string, unknown>;
  /** Sends a signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `serve.ts` under an account, with programs of PostgreSQL that it can reach even where the checkout is closed to it. */
export async function serveAs(owner: { uid: number; gid: number }, dataDirs: string[]): Promise<Program> {
  const account = { name: 'nobody', ...owner };
  const { postgres } = await findBinaries({ dataDir: await temporaryDirectory(), account });
  return startProgram('serve.ts', dataDirs, { ...runAsVariable(owner), PG_BIN_DIR: dirname(postgres) });
}

/** Starts one of the programs in `programs/`, with further variables, and waits for its first line. */
export async function startProgram(
  name: string,
  args: string[],
  variables: Record<string, string> = {},
): Promise<Program> {
  const file = join(import.meta.dirname, 'programs', name);
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => end('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout }))
    return { process: child, result: JSON.parse(line), end };
  throw new Error(`${name} ended without a word on standard output:\n${errors}`);
}
