/**
 * The embedded database listens on a Unix socket only. Whoever can reach the socket is trusted, so its directory belongs to
 * the database's account and is closed to everybody else. The kernel limits a socket's path to 107 bytes; a data directory
 * with a longer path gets a short directory in /tmp, named after it.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/system-error.js';
import type { Account } from './process/unprivileged.js';
import { DatabaseStartError } from './start-error.js';

/** The number in the socket's file name. PostgreSQL wants one; nothing listens on that port. */
export const socketPort = 5432;

/** That of macOS, where it is shorter than the 107 of Linux. */
const longestPathBytes = 103;

/** Creates the directory, or takes the one that exists; in /tmp only where it is ours, because anybody may have made it. */
export async function prepareSocketDirectory(dataDir: string, account: Account | undefined): Promise<string> {
  const { uid, gid } = account ?? { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const within = join(dataDir, 'run');
  const fits = Buffer.byteLength(socketPath(within)) <= longestPathBytes;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const directory = fits ? within : `/tmp/skein-${uid}-${name}`;
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = await lstat(directory);
  const ours = (fits && account !== undefined) || found.uid === uid || found.uid === process.geteuid?.();
  if (!found.isDirectory() || !ours) {
    throw new DatabaseStartError(
      `${directory} should be the private directory of the database's socket, but it belongs to another account. ` +
        'Remove it, or set DATA_DIR to a directory with a shorter path.',
    );
  }
  const foreign = (await readdir(directory)).find((name) => !name.startsWith('.'));
  if (foreign !== undefined) {
    throw new DatabaseStartError(
      `${directory} should be the private directory of the database's socket, but it holds "${foreign}". ` +
        'Set DATA_DIR to a directory of its own.',
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
  const path = socketPath(socketDir);
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return;
    throw error;
  } finally {
    socket.destroy();
  }
  throw new DatabaseStartError(
    `Another PostgreSQL answers on ${path}, and its process is not visible from here: probably another container ` +
      'uses the same data directory. Stop that one first.',
  );
}

function socketPath(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${socketPort}`);
}
