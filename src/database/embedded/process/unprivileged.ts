/**
 * PostgreSQL refuses to run as root, so that a hole in it is never a hole in the machine. Where Skein runs as root, its
 * database runs under an account that exists already and has no rights: the account that owns the data, else `postgres`,
 * else `nobody`. That account must be able to walk to the files, and a home folder of mode 0700 stops it: no file below
 * /root can be reached, whatever its own mode. Permissions of folders that are not ours are never changed.
 */
import { type Stats, statSync } from 'node:fs';
import { chown, lchown, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../../platform/files/system-error.js';
import { DatabaseStartError } from '../start-error.js';

/** The account under which PostgreSQL runs; undefined where that is the account of this process. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** The accounts of a file in the form of /etc/passwd, in its order. Lines without numeric ids are left out. */
export function parseAccounts(passwd: string): Account[] {
  const lines = passwd.matchAll(/^([^:\n]+):[^:\n]*:(\d+):(\d+):/gm);
  return Array.from(lines, ([, name = '', uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** The account for a new cluster, out of the contents of /etc/passwd. Never root. */
export function preferredAccount(passwd: string): Account {
  const accounts = parseAccounts(passwd).filter((account) => account.uid !== 0);
  const named = ['postgres', 'nobody'].flatMap((name) => accounts.filter((account) => account.name === name));
  const account = named[0] ?? accounts[0];
  if (account) return account;
  throw new DatabaseStartError(
    'PostgreSQL refuses to run as root, and /etc/passwd lists no other account. Add one ("adduser --system postgres"), ' +
      'run Skein as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/**
 * The account under which to run PostgreSQL on this cluster directory, or undefined for that of this process. The owner
 * of a cluster that exists always wins, because PostgreSQL accepts no other.
 */
export async function accountFor(clusterDir: string): Promise<Account | undefined> {
  const owner = ownerOf(clusterDir);
  if (!isRoot()) {
    if (owner === undefined || owner.uid === process.geteuid?.()) return undefined;
    throw new DatabaseStartError(
      `${clusterDir} belongs to the account with the number ${owner.uid}, because Skein ran under it before (or as root). ` +
        'Run Skein that way again, give the directory to this account with "chown -R", or set DATA_DIR to another one.',
    );
  }
  const passwd = await readFile('/etc/passwd', 'utf8');
  if (owner === undefined || owner.uid === 0) return preferredAccount(passwd);
  const { uid, gid } = owner;
  return parseAccounts(passwd).find((account) => account.uid === uid) ?? { name: `number ${uid}`, uid, gid };
}

/** Undefined where there is no such directory yet. */
function ownerOf(clusterDir: string): Stats | undefined {
  try {
    return statSync(clusterDir, { throwIfNoEntry: false });
  } catch (error) {
    if (!hasCode(error, 'EACCES')) throw error;
    throw new DatabaseStartError(
      `The data directory ${dirname(clusterDir)} is closed to this account. Run Skein as the account that owns it, give it to ` +
        'this account with "chown -R", or set DATA_DIR to another one.',
    );
  }
}

/**
 * The first folder on the way to `path`, itself included, that the account cannot walk through; undefined where it can
 * reach the path. Folders that do not exist yet count as open. Only the mode bits are looked at.
 */
export function closedFolder(path: string, account: Account): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : closedFolder(parent, account);
  const found = statSync(path, { throwIfNoEntry: false });
  if (above !== undefined || found === undefined) return above;
  const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0;
  return (found.mode >> shift) & 1 ? undefined : path;
}

/** Gives a directory and everything in it to the account. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  await chown(directory, account.uid, account.gid);
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), account.uid, account.gid);
  }
}
