/**
 * A PgBouncer of a test's own in transaction mode, in front of a database of the tests. Where the program is missing, what needs
 * it is skipped, and its title says so. Of its settings, only those stand in its file that no pooler can do without.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { databaseTarget, FaultyProxy } from './faulty-proxy.js';
import { freePort } from './free-port.js';

const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: environment }).status === 0;

export const pgBouncerNote = hasPgBouncer ? '' : ' (skipped: there is no pgbouncer in PATH)';

export interface PgBouncer {
  /** The address of the database through the pooler. */
  url: string;
}

/** Starts it; it ends with the test. `settings` are lines of its file. */
export async function startPgBouncer(databaseUrl: string, settings: readonly string[] = []): Promise<PgBouncer> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'skein-pgbouncer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { pathname, username } = new URL(databaseUrl);
  const [name, port] = [pathname.slice(1), await freePort()];
  // It does not run as root, and the socket of the server belongs to somebody else.
  const server = await FaultyProxy.start(databaseTarget(databaseUrl));
  onTestFinished(() => server.close());
  const [users, file] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  await writeFile(users, `"${username}" ""\n`);
  const lines = [
    '[databases]',
    `${name} = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    ...settings,
  ];
  await writeFile(file, lines.join('\n'));
  await chmod(folder, 0o755);
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', [file], { ...account, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
  const reached = async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}: ${said}`);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  };
  await vi.waitFor(reached, { timeout: 20_000, interval: 50 });
  return { url: `postgresql://${username}@127.0.0.1:${port}/${name}` };
}
