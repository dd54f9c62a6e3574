/** Runs the proxies of `docs/reverse-proxy.md`, with the configurations that stand there. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../support/network/free-port.js';

export type ProxyName = 'nginx' | 'haproxy' | 'caddy';

export interface RunningProxy {
  port: number;
  stop(): Promise<void>;
}

/** Whether the program is here. */
export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, ['-v'], { env: environment, stdio: 'ignore' }).error === undefined;
}

const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** What stands in a configuration, and what the test puts in its place. */
export type Change = readonly [from: string, to: string];

/** The configuration of the document, with the ports and the files of the test. Throws where a part is not found there. */
function configurationOf(name: ProxyName, changes: readonly Change[]): string {
  const text = readFileSync('docs/reverse-proxy.md', 'utf8');
  const block = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/reverse-proxy.md has no configuration of ${name}.`);
  return changes.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`The configuration of ${name} has no "${from}".`);
    return all.replace(from, to);
  }, block);
}

/** Starts the proxy in front of the service; it listens with TLS and a certificate of its own. */
export async function startProxy(
  name: ProxyName,
  serviceUrl: string,
  further: readonly Change[] = [],
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `skein-${name}-`));
  // Where root starts it, nginx works as another user, who has to reach the folders below.
  await chmod(folder, 0o755);
  const [port, service] = [await freePort(), new URL(serviceUrl).host];
  const [certificate, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  const subject = ['-subj', '/CN=skein.test', '-days', '2'];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject];
  execFileSync('openssl', make, { stdio: 'ignore' });
  await writeFile(both, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`);
  const file = join(folder, 'proxy.conf');
  const site = `https://skein.test:${port} {\n  bind 127.0.0.1\n  tls ${certificate} ${key}\n`;
  const changes = {
    nginx: [
      ['/run/nginx.pid', join(folder, 'nginx.pid')],
      ['127.0.0.1:4000', service],
      ['listen 443', `listen 127.0.0.1:${port}`],
      ['/etc/ssl/skein.pem', certificate],
      ['/etc/ssl/skein.key', key],
      ['http {\n', `http {\n${nginxFolders(folder)}`],
    ],
    haproxy: [
      [':443', `127.0.0.1:${port}`],
      ['/etc/ssl/skein-with-key.pem', both],
      ['127.0.0.1:4000', service],
    ],
    caddy: [
      ['skein.example {\n', `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`],
      ['127.0.0.1:4000', service],
    ],
  } as const;
  await writeFile(file, configurationOf(name, [...changes[name], ...further]));
  const words = {
    nginx: ['-p', folder, '-c', file, '-g', 'daemon off; error_log stderr;'],
    haproxy: ['-db', '-f', file],
    caddy: ['run', '--adapter', 'caddyfile', '--config', file],
  };
  const env = { ...environment, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(name, words[name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  await vi.waitFor(() => reach(port, () => said, child), { timeout: 20_000, interval: 50 });
  return { port, stop: () => end(child, folder) };
}

/** Where nginx would write: the package's own folders belong to somebody else. */
function nginxFolders(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = kinds.map((kind) => `  ${kind}_temp_path ${join(folder, kind)};\n`).join('');
  return `${folders}  access_log off;\n`;
}

function reach(port: number, said: () => string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`The proxy ended with ${child.exitCode}: ${said()}`);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', () => reject(new Error(`The proxy does not listen: ${said()}`)));
  });
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  if (child.exitCode === null) await ended;
  await rm(folder, { recursive: true, force: true });
}
