/**
 * Several processes of the built program on one PostgreSQL, each reached over a proxy of its own, so that processes can be
 * killed and frozen, the database crashed, and connections cut or silenced, one at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { clusterDirectory } from '../../src/database/data-directory.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/database/embedded-server.js';
import { runningPostmaster } from '../../src/database/postmaster-pid.js';
import { FaultyProxy } from './faulty-proxy.js';

export interface ClusterOptions {
  nodes: readonly { role: 'all' | 'api' | 'worker' }[];
  modelUrl: string;
  environment?: Record<string, string>;
}

export class Node {
  process: ChildProcess | undefined;
  /** Where it serves; undefined while it is down or starting. */
  url: string | undefined;
  /** True while it is stopped by a signal: it must be continued before it can die politely. */
  isFrozen = false;

  constructor(
    readonly role: string,
    readonly proxy: FaultyProxy,
    private readonly environment: Record<string, string>,
  ) {}

  /** Starts the process and waits until it serves. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['dist/src/main.js', 'serve'], {
      env: { ...process.env, ...this.environment, ROLE: this.role, PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = child;
    this.url = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        if (said.length < 100_000) said += chunk;
        const url = /"url":"(http[^"]+)"/.exec(said)?.[1];
        if (url) resolve(url);
      });
      child.once('exit', (code, signal) =>
        reject(new Error(`the node ended (${code ?? signal}):\n${said.slice(-3000)}`)),
      );
    });
  }

  /** Sends a signal and, for a deadly one, waits for the end. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.process;
    this.url = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (this.isFrozen) child.kill('SIGCONT');
    this.isFrozen = false;
    await ended;
  }

  freeze(): void {
    this.isFrozen = true;
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.isFrozen = false;
    this.process?.kill('SIGCONT');
  }
}

export class Cluster {
  private constructor(
    readonly nodes: readonly Node[],
    readonly server: EmbeddedServer,
    private readonly dataDir: string,
  ) {}

  static async start({ nodes, modelUrl, environment = {} }: ClusterOptions): Promise<Cluster> {
    const dataDir = join(tmpdir(), `skein-chaos-${process.pid}-${Date.now()}`);
    const server = await startEmbeddedServer({ dataDir, logger: pino({ level: 'silent' }), maxConnections: 200 });
    const { host, port, user, database } = server.connectionOptions;
    const made: Node[] = [];
    for (const { role } of nodes) {
      const proxy = await FaultyProxy.start(`${host}/.s.PGSQL.${port}`);
      const url = `postgresql://${user}@127.0.0.1:${proxy.port}/${database}`;
      const settings = { DATABASE_URL: url, AI_MODEL: 'compatible:scripted', AI_BASE_URL: modelUrl, ...environment };
      made.push(new Node(role, proxy, settings));
    }
    const cluster = new Cluster(made, server, dataDir);
    for (const node of made) await node.start();
    return cluster;
  }

  /** The addresses at which REST can be reached now. */
  get urls(): string[] {
    return this.nodes.flatMap(({ role, url }) => (url && role !== 'worker' ? [url] : []));
  }

  /** Ends PostgreSQL as a power cut of its process would; its supervisor starts it again. */
  async crashDatabase(): Promise<void> {
    const running = await runningPostmaster(clusterDirectory(this.dataDir));
    if (running) process.kill(running.pid, 'SIGQUIT');
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.end('SIGKILL');
    for (const node of this.nodes) await node.proxy.close();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
