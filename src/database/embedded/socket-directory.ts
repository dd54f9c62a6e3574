/**
 * The embedded database listens on a Unix socket only. Whoever can reach the socket is trusted, so its directory belongs to
 * the database's account and is closed to everybody else. The kernel limits a socket's path to 107 bytes; a data directory
 * with a longer path gets a short directory outside, named after it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import { type Account, closedFolder } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

/** The number in the socket's file name. PostgreSQL wants one; nothing listens on that port. */
export const socketPort = 5432;

const longestPathBytes = 107;

/** The path of the socket itself within its directory. */
export function socketPath(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${socketPort}`);
}

/** Where the socket of this data directory belongs: within it, or in the first short place that the account can reach. */
export async function chooseSocketDirectory(dataDir: string, account: Account | undefined): Promise<string> {
  const uid = account?.uid ?? process.geteuid?.() ?? 0;
  const name = `skein-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const parents = [...(account ? [] : [`/run/user/${uid}`]), tmpdir(), '/tmp'];
  for (const directory of [join(dataDir, 'run'), ...parents.map((parent) => join(parent, name))]) {
    const fits = Buffer.byteLength(socketPath(directory)) <= longestPathBytes && existsSync(dirname(directory));
    if (fits && !(account && (await closedFolder(dirname(directory), account)))) return directory;
  }
  throw new DatabaseStartError(
    `The path of the database's socket in ${dataDir} would be longer than the ${longestPathBytes} bytes that the system allows. ` +
      'Set DATA_DIR to a directory with a shorter path.',
  );
}

/** Creates the directory, or takes the one that exists; in a shared folder only where it is ours, because anybody may have made it. */
export async function prepareSocketDirectory(dataDir: string, account: Account | undefined): Promise<string> {
  const directory = await chooseSocketDirectory(dataDir, account);
  const { uid, gid } = account ?? { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = await lstat(directory);
  const inDataDir = dirname(directory) === dataDir && account !== undefined;
  const ours = inDataDir || found.uid === uid || found.uid === process.geteuid?.();
  if (!found.isDirectory() || !ours) {
    throw new DatabaseStartError(
      `${directory} should be the private directory of the database's socket, but it belongs to another account. ` +
        'Remove it, or set DATA_DIR to a directory with a shorter path.',
    );
  }
  if (account) await chown(directory, uid, gid);
  await chmod(directory, 0o700);
  return directory;
}

/**
 * Refuses to start where something answers on the socket already and its process cannot be seen: a container that shares this
 * directory has its own process ids, and PostgreSQL itself would not notice it. Two servers on one cluster destroy it.
 */
export async function refuseForeignServer(socketDir: string): Promise<void> {
  if (!(await answers(socketPath(socketDir)))) return;
  throw new DatabaseStartError(
    `Another PostgreSQL answers on ${socketPath(socketDir)}, and its process is not visible from here: probably another container ` +
      'uses the same data directory. Stop that one first.',
  );
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error) => {
      if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) resolve(false);
      else reject(error);
    });
  });
}
