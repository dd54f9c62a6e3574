/** The program as an operator runs it: a process of its own, with a data directory and an embedded database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { RestClient } from '../../support/clients/rest-client.js';

const program = join(import.meta.dirname, '../../../scripts/launch.mjs');

export class ChildService {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  /** What it printed on both of its outputs. */
  #output = '';
  #wake: () => void = () => undefined;

  private constructor(environment: Record<string, string>) {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...environment };
    this.#process = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.#process, 'exit');
    // Not even a run of the tests that ends in the middle leaves it behind.
    const kill = () => this.signal('SIGKILL');
    process.once('exit', kill);
    this.#process.once('exit', () => process.off('exit', kill));
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#wake();
      });
    }
  }

  /** Starts it and waits until it serves. Disposed of, it is killed where it still runs. */
  static async start(environment: Record<string, string>): Promise<ChildService> {
    const service = new ChildService(environment);
    try {
      await service.printed(/serving REST at (http:\S+?)\/api/);
      return service;
    } catch (error) {
      await service.end('SIGKILL');
      throw error;
    }
  }

  get url(): string {
    return /serving REST at (http:\S+?)\/api/.exec(this.#output)?.[1] ?? '';
  }

  /**
   * The administrator's token, which is printed at the first start on a data directory. What was written to one output may be
   * read after what was written later to the other.
   */
  async firstToken(): Promise<string> {
    const [token] = await this.printed(/skn_pat_[0-9A-Za-z]{36}/);
    return token;
  }

  rest(token: string): RestClient {
    return new RestClient({ origin: this.url, prefix: '/api/v1', token });
  }

  /** Resolves with the match when the output has one; throws, with the output, where the process ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.#exited.then(() => true);
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match) return match;
      const more = new Promise<false>((resolve) => {
        this.#wake = () => resolve(false);
      });
      if (await Promise.race([more, ended])) throw new Error(`It ended before it printed ${pattern}:\n${this.#output}`);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** False once it has ended, in whatever way. */
  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Sends a signal and waits for the end. The exit code; null where a signal ended it. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.signal(signal);
    await this.#exited;
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}
