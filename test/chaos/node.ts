/**
 * One process of the built program behind its own proxy. Starting and stopping have time limits, and an error names the node
 * that exceeds one, with its last output: a node that hangs must fail the run, not block it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withinMs } from '../../src/platform/async/time-limit.js';
import type { FaultyProxy } from '../support/network/faulty-proxy.js';

export type Role = 'all' | 'api' | 'worker';

export interface NodeOptions {
  number: number;
  role: Role;
  proxy: FaultyProxy;
  environment: Record<string, string>;
  /** The folder of the build that it runs. */
  program?: string | undefined;
}

/** A node neither did what it was told to nor ended in time. */
export class NodeHangsError extends Error {}

const startLimitMs = 60_000;
/** The program gives running responses 25 s, and itself a few more. */
const endLimitMs = { SIGTERM: 60_000, SIGKILL: 60_000 };
const keptLines = 60;

export class Node {
  readonly role: Role;
  readonly proxy: FaultyProxy;
  process: ChildProcess | undefined;
  /** Where it serves; undefined while it is down, frozen or starting. */
  url: string | undefined;
  /** True while it is stopped by a signal: it must be continued before it can die politely. */
  isFrozen = false;
  /** What the next start runs. */
  program: string;
  /** Writes that were refused because the run had a new epoch, and runs that were given up because of one. */
  refusedZombies = 0;
  /** Threads that it had to repair, in all its processes. */
  repairs = 0;
  readonly #options: NodeOptions;
  #lines: string[] = [];

  constructor(options: NodeOptions) {
    this.#options = options;
    this.role = options.role;
    this.proxy = options.proxy;
    this.program = options.program ?? 'dist/program';
  }

  get name(): string {
    return `node ${this.#options.number} (${this.role}, process ${this.process?.pid})`;
  }

  /** Starts the process and waits until it serves. Throws where it ends before, or a `NodeHangsError`. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [join(this.program, 'main.js'), 'serve'], {
      env: { ...process.env, ...this.#options.environment, ROLE: this.role, PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = child;
    this.#lines = [];
    const url = await withinMs(startLimitMs, this.#servingUrl(child));
    if (url === undefined) throw this.#hangs(`did not serve within ${startLimitMs / 1000} s`);
    this.url = url;
  }

  /** Sends a signal and waits for the end. Throws a `NodeHangsError`. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.process;
    this.url = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)));
    child.kill(signal);
    this.thaw();
    const limitMs = endLimitMs[signal];
    if (!(await withinMs(limitMs, ended))) throw this.#hangs(`lived ${limitMs / 1000} s beyond ${signal}`);
  }

  freeze(): void {
    this.isFrozen = true;
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    if (this.isFrozen) this.process?.kill('SIGCONT');
    this.isFrozen = false;
  }

  #servingUrl(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`${this.name} ended (${code ?? signal}) before it served:\n${this.#lines.join('\n')}`)),
      );
      if (!child.stderr) return reject(new Error('the node has no standard error'));
      createInterface(child.stderr).on('line', (line) => {
        this.#note(line);
        const url = /"url":"(http[^"]+)"/.exec(line)?.[1];
        if (url) resolve(url);
      });
    });
  }

  #note(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > keptLines) this.#lines.shift();
    if (line.includes('whose state contradicted its response')) this.repairs += 1;
    if (line.includes('"outcome":"lost"') || line.includes('the run belongs to somebody else'))
      this.refusedZombies += 1;
  }

  /** The error that names this node; the process does not outlive it. */
  #hangs(what: string): NodeHangsError {
    const error = new NodeHangsError(`${this.name} ${what}. It said last:\n${this.#lines.join('\n')}`);
    this.process?.kill('SIGKILL');
    return error;
  }
}
