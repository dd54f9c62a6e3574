/**
 * A Redis of a test's own: a process on a free port of this machine, which can be killed, frozen, flushed and made full.
 * Where there is no `redis-server` in PATH, what needs it is skipped, and its title says so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** To be put behind the title of what is skipped where `hasRedis` is false. */
export const redisNote = hasRedis ? '' : ' (skipped: there is no redis-server in PATH)';

export class RedisServer {
  readonly port: number;
  #process: ChildProcess | undefined;
  /** Ends the server when this process is gone, however that ended: its standard input is at its end then. */
  #guard: ChildProcess | undefined;
  /** For commands of the test; connects when it is first used. */
  readonly client: Redis;

  private constructor(port: number) {
    this.port = port;
    this.client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => 20 });
    // A command that fails says so itself; without a listener the lost connection would be reported once more.
    this.client.on('error', () => undefined);
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the process again, empty, on the same port. */
  async start(): Promise<void> {
    const options = { port: this.port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: tmpdir() };
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = child;
    this.#guard = spawn('sh', ['-c', `cat; kill -9 ${child.pid}`], { stdio: ['pipe', 'ignore', 'ignore'] });
    const said: string[] = [];
    const lines = createInterface(child.stdout);
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`redis-server ended (${code ?? signal}): ${said.join('\n')}`)),
      );
      lines.on('line', (line) => {
        said.push(line);
        if (line.includes('Ready to accept connections')) resolve();
      });
    });
    lines.removeAllListeners('line').resume();
  }

  /** Ends the process at once; what it held is lost. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    // Before the server: its number may soon be another process's.
    this.#guard?.kill('SIGKILL');
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Its connections stay, and nobody answers. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.client.disconnect();
    await this.kill();
  }
}
