/** A process of a benchmark: it says where it serves, answers questions over its channel, and ends with this one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Nothing of what configures the service of whoever runs the benchmarks. */
const inherited = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS'].map((name) => [name, process.env[name]]).filter(([, value]) => value),
);

const programs = join(import.meta.dirname, '../programs');

/** How much a process had to do since it was last asked. */
export interface Busyness {
  cpuMs: number;
  /** How late its timers were. */
  loopDelayP99Ms: number;
}

interface Answer {
  id: number;
  answer: unknown;
}

export class Child {
  readonly #process: ChildProcess;
  #questions = 0;

  private constructor(
    process: ChildProcess,
    /** Where it serves. */
    readonly url: string,
  ) {
    this.#process = process;
    // Every question that is on its way has a listener.
    process.setMaxListeners(0);
  }

  /**
   * Starts one of `programs/` with these flags of Node.js and waits until it serves. Throws an error with its output if it
   * ends before.
   */
  static async start(program: string, environment: Record<string, string>, flags: readonly string[]): Promise<Child> {
    const measure = pathToFileURL(join(programs, 'measure.mjs')).href;
    const compile = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
    const child = fork(join(programs, program), {
      execArgv: [...flags, ...compile, '--import', measure],
      env: { ...inherited, ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-5000);
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${program} ended before it served:\n${said}`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
    ended.catch(() => undefined);
    return new Child(child, message.url);
  }

  /** Asks, and waits for the answer. Throws where the process ends instead. */
  async ask<Result>(question: string, argument?: unknown): Promise<Result> {
    this.#questions += 1;
    const id = this.#questions;
    return new Promise<Result>((resolve, reject) => {
      const onMessage = (message: Answer) => {
        if (message.id !== id) return;
        this.#process.off('message', onMessage).off('exit', onExit);
        resolve(message.answer as Result);
      };
      const onExit = () => reject(new Error(`A process ended before it answered "${question}".`));
      this.#process.on('message', onMessage).once('exit', onExit);
      this.#process.send({ id, question, argument });
    });
  }

  busyness(): Promise<Busyness> {
    return this.ask('busyness');
  }

  /** Lets go of it, and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    if (this.#process.connected) this.#process.disconnect();
    await exited;
  }
}
