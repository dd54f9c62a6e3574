/** The real program as a child process: `node scripts/launch.mjs …`, with an environment that holds nothing but what the test says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

export type Variables = Record<string, string>;

/** Runs a command line to its end. */
export async function skein(words: readonly string[], variables: Variables = {}): Promise<Finished> {
  const program = start(words, variables);
  const status = await program.ended;
  // The launcher says so when it had to build first, because a source changed meanwhile.
  const stderr = program.stderr.replaceAll(/^Built the .*\n/gm, '');
  return { status, stdout: program.stdout, stderr };
}

/** A running program and what it has written so far. */
export interface Program {
  child: ChildProcess;
  /** The exit status, in the end. */
  ended: Promise<number | null>;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when standard error holds a match; rejects when the program ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for standard output: what was written to it before a line of the log may be read after that line. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the program of this checkout, or another script or that of another folder. */
export function start(
  words: readonly string[],
  variables: Variables = {},
  { folder = root, script = 'scripts/launch.mjs' } = {},
): Program {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
  const child = spawn(process.execPath, [script, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const ended = once(child, 'close').then(([status]) => status as number | null);
  const writes = (name: 'stdout' | 'stderr', pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(written[name]);
        if (match) resolve(match);
      };
      look();
      child[name].on('data', look);
      void ended.then((status) =>
        reject(new Error(`The program ended with ${status}, and never wrote ${pattern}:\n${written[name]}`)),
      );
    });
  return {
    ...{ child, ended },
    says: (pattern) => writes('stderr', pattern),
    prints: (pattern) => writes('stdout', pattern),
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
  };
}

export type Service = Program & { url: string };

/** Starts the service on a free port. Whoever starts it must `end` it. */
export async function serve(variables: Variables): Promise<Service> {
  const program = start(['serve'], { PORT: '0', ...variables });
  const [, url = ''] = await program.says(/serving REST at (http:\/\/[^/\s]+)/);
  return Object.defineProperties({ url } as Service, Object.getOwnPropertyDescriptors(program));
}

/** Asks the program to end, and gives its exit status. */
export function end({ child, ended }: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null) child.kill(signal);
  return ended;
}

/** A place for a data directory that does not exist yet. */
export async function dataDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(await temporaryFolder(), 'skein-cli-'));
  // The embedded database does not run as root: its own account must be able to come through.
  await chmod(directory, 0o711);
  return { path: join(directory, 'data'), remove: () => rm(directory, { recursive: true, force: true }) };
}
