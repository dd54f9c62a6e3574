/**
 * Runs the commands of a document as a reader does: every block marked `sh`, in order, in one shell, on a service that was started
 * as the document says. Three things differ: `npm ci` has been run already, port and data directory are the test's own, and
 * `skn_pat_...` stands for the token that the service printed. Of a document with many commands of the program, `CommandServer` runs
 * them in this process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { command } from '../cli/command.js';
import { fencesIn } from './documents.js';
import { freePort } from './network/free-port.js';

const startCommand = 'npm ci && npm start';

/** What readers have, with the words that end a script at its first failure. macOS has zsh, and `sh` of Debian is dash. */
const wordsOf = { bash: ['-e', '-o', 'pipefail'], zsh: ['-f', '-e', '-o', 'pipefail'], dash: ['-e'] };
export type Shell = keyof typeof wordsOf;

export function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ['-c', ':']).status === 0;
}

/** The blocks of a document that are run. */
export function commandsOf(document: string): string[] {
  return fencesIn(readFileSync(document, 'utf8'), 'sh').filter((block) => block !== startCommand);
}

export interface RunDocument {
  code: number | null;
  /** All that was printed. */
  output: string;
  /** What the block printed that begins with these words. */
  outputOf: (start: string) => string;
}

/** Runs every block of a document on a service. The first command that fails is the last. */
export async function runDocument(
  document: string,
  service: StartedService,
  { shell = 'bash', prologue = '' }: { shell?: Shell; prologue?: string } = {},
): Promise<RunDocument> {
  const commands = commandsOf(document);
  const blocks = commands.map((block, index) => `echo "== block ${index}"\n${block}\n`);
  const script = [prologue, ...blocks].join('\n');
  const { code, output } = await service.run(
    script.replaceAll('localhost:4000', service.host).replaceAll('skn_pat_...', service.token),
    shell,
  );
  const said = output.split(/== block \d+\n/).slice(1);
  const outputOf = (start: string) =>
    said[commands.findIndex((block) => block.startsWith(start))] ?? `nothing ran ${start}`;
  return { code, output, outputOf };
}

/** Runs what a shell asks of `npm run --silent skein --`, without the second that a start of npm and of the program takes. */
export class CommandServer implements AsyncDisposable {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<CommandServer> {
    const server = createServer(async (request, response) => {
      const [script, silent, skein, dashes, ...words] = (await text(request)).trimEnd().split('\n');
      const isOurs = `${script} ${silent} ${skein} ${dashes}` === 'run --silent skein --';
      const { status, stdout, stderr } = isOurs
        ? await command(words, { DATA_DIR: String(request.headers['data-dir']) })
        : { status: 1, stdout: '', stderr: 'no command of the program' };
      response.writeHead(status === 0 ? 200 : 500).end(stdout + stderr);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CommandServer(server);
  }

  /** To the shell that this is said to first, `npm` is this server. */
  get prologue(): string {
    const { port } = this.server.address() as AddressInfo;
    const curl = `curl -sS --fail-with-body -H "data-dir: $DATA_DIR" --data-binary @- http://127.0.0.1:${port}`;
    return `npm() { printf '%s\\n' "$@" | ${curl}; }`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** `npm start` on a port and a data directory of its own. */
export class StartedService implements AsyncDisposable {
  #printed = '';

  private constructor(
    readonly host: string,
    private readonly dataDir: string,
    private readonly server: ChildProcess,
  ) {
    server.stdout?.on('data', (chunk) => {
      this.#printed += chunk;
    });
  }

  static async start(): Promise<StartedService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'skein-document-'));
    const port = await freePort();
    const server = spawn('bash', ['-c', `exec ${startCommand.replace('npm ci && ', '')}`], {
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
      detached: true,
    });
    const service = new StartedService(`127.0.0.1:${port}`, dataDir, server);
    try {
      await vi.waitFor(() => service.token, { timeout: 110_000, interval: 50 });
      return service;
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
  }

  get token(): string {
    const [token] = /skn_pat_[0-9A-Za-z]{36}(?=\n[\s\S]*curl)/.exec(this.#printed) ?? [];
    if (token === undefined) throw new Error(`npm start has printed no token yet: ${this.#printed}`);
    return token;
  }

  async run(script: string, name: Shell = 'bash'): Promise<{ code: number | null; output: string }> {
    // What a document makes in a temporary folder goes with the rest.
    const TMPDIR = join(this.dataDir, 'tmp');
    await mkdir(TMPDIR, { recursive: true });
    return new Promise((resolve) => {
      const shell = spawn(name, [...wordsOf[name], '-c', script], {
        env: { ...process.env, DATA_DIR: this.dataDir, TMPDIR, NO_COLOR: '1' },
      });
      let output = '';
      const collect = (chunk: Buffer) => {
        output += chunk;
      };
      shell.stdout.on('data', collect);
      shell.stderr.on('data', collect);
      shell.on('close', (code) => resolve({ code, output }));
    });
  }

  /** Sends SIGTERM to the whole group, as a supervisor does. The status of npm, and whether the database still runs. */
  async end(): Promise<{ status: number | null; hasDatabase: boolean }> {
    // npm itself may be gone before the service is: the pipes are closed when the last process of the group has ended.
    const ended = new Promise((resolve) => this.server.once('close', resolve));
    if (this.server.pid) process.kill(-this.server.pid, 'SIGTERM');
    await ended;
    return { status: this.server.exitCode, hasDatabase: existsSync(join(this.dataDir, 'postgres/postmaster.pid')) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.server.exitCode === null) await this.end();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
