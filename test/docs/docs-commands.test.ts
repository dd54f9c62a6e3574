/**
 * Every command of the documents works, as it stands there, and prints what the document says. All of them run on one service,
 * because no document expects to be the first that is followed, or the only one: several are at once, since their commands wait for
 * answers that come as slowly as people read.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { command } from '../cli/command.js';
import { documents, fencesIn } from '../support/documents.js';
import { freePort } from '../support/network/free-port.js';

const startCommand = 'npm ci && npm start';

/** What readers have, with the words that end a script at its first failure. macOS has zsh, and `sh` of Debian is dash. */
const wordsOf = { bash: ['-e', '-o', 'pipefail'], zsh: ['-f', '-e', '-o', 'pipefail'], dash: ['-e'] };
type Shell = keyof typeof wordsOf;

/** For each document, what the block prints that begins with these words. */
const expected: Record<string, readonly (readonly [block: string, output: RegExp])[]> = {
  'README.md': [
    ['CREATED=', /"thread_id":"thr_.*"message_id":"msg_/],
    ['field()', /event: token[\s\S]*event: done/],
    ['curl -sS http://localhost:4000/graphql', /"name":"First thread"/],
  ],
  'docs/rest.md': [
    ['skein /me', /"role":"admin"/],
    ['CREATED=', /"thread_id":"thr_.*"message_id":"msg_/],
    ['skein "/threads/$THREAD/messages/$MESSAGE/response/stream"', /event: token[\s\S]*event: done/],
    ['MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "ask', /user_get_choice/],
    ['MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "The', /event: done/],
    ['ANSWER=', /^204\n[\s\S]*"has_more":true[\s\S]*"name":"First thread"/],
    ['skein /threads/thr_unknown', /"code":"not_found"/],
  ],
  'docs/graphql.md': [
    ['CREATED=', /"__typename":"PostedMessage"/],
    ["graphql -H 'Accept: text/event-stream'", /ResponseToken[\s\S]*ResponseDone/],
    ['graphql -d \'{\n  "query": "{ me', /"name":"First thread"/],
    ['graphql -d \'{\n  "query": "mutation', /"name":"Introductions"/],
  ],
  'docs/streaming.md': [
    ['BASE=', /^retry: 2000\n\n: ping\n\nevent: token\n[\s\S]*event: done\ndata: \{\}\nid: \d+-end/],
    ['FIRST=', /^retry: 2000[\s\S]*event: done/],
    ['LAST=', /^204\n$/],
  ],
  'docs/models.md': [['npm run --silent skein -- model check', /^demo: model ok/m]],
  'docs/web-application.md': [['npm run --silent skein -- user sign-in-link', /^http:\/\//]],
  'docs/operating.md': [
    ['npm run --silent skein -- org', /acme\nusr_.*\nhttp:.*\nskn_pat_.*\ntok_[\s\S]*is up to date[\s\S]*Usage: skein/],
    [
      'BACKUP=',
      /skein\.backup: [\d,]+ rows of \d+ tables, .* read back\n.*, whole\nRestored [\d,]+ rows of \d+ tables\.\n/,
    ],
    ['THREAD=', /queued/],
  ],
};

/** The texts of the tokens in a stream. */
const tokensIn = (events: string) =>
  [...events.matchAll(/^event: token\ndata: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { token: string }).token,
  );

function expectPrinted(document: string, { code, output, outputOf }: RunDocument): void {
  expect(code, output).toBe(0);
  for (const [block, printed] of expected[document] ?? []) expect(outputOf(block), block).toMatch(printed);
  // On a busy machine the whole text may be the first token, with nothing after it.
  if (document === 'docs/streaming.md') {
    expect(tokensIn(outputOf('FIRST=')).join('')).toBe(tokensIn(outputOf('BASE=')).slice(1).join(''));
  }
}

const withCommands = documents.filter((document) => commandsOf(document).length > 0);

describe('the commands of the documents', () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await StartedService.start();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('are covered by an expectation in every document', () => {
    expect(withCommands.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  // Of the commands of the program, npm runs those of the other documents: this process can run one at a time.
  const withManyCommands = 'docs/operating.md';

  it(`work: ${withManyCommands}`, { timeout: 300_000 }, async () => {
    await using commands = await CommandServer.start();
    expectPrinted(withManyCommands, await runDocument(withManyCommands, service, { prologue: commands.prologue }));
  });

  const others = withCommands.filter((document) => document !== withManyCommands);
  it.concurrent.each(others)('work: %s', { timeout: 300_000 }, async (document) => {
    expectPrinted(document, await runDocument(document, service));
  });

  // The commands of the others are those of the program itself, in one form that asks nothing of a shell, and take a minute.
  const inAnyShell = ['README.md', 'docs/rest.md', 'docs/graphql.md', 'docs/streaming.md'];
  describe.concurrent.each<Shell>(['zsh', 'dash'])('in %s', (shell) => {
    const isHere = isInstalled(shell);
    const note = isHere ? '' : ` (skipped: there is no ${shell} in PATH)`;
    it.skipIf(!isHere).each(inAnyShell)(`work: %s${note}`, { timeout: 300_000 }, async (document) => {
      expectPrinted(document, await runDocument(document, service, { shell }));
    });
  });

  it('end with their service, cleanly with its database, where SIGTERM reaches the whole group', async () => {
    expect(await service.end()).toEqual({ status: 0, hasDatabase: false });
  });
});

/** To zsh, some of these are PATH and its like, and some cannot be set; others change what the next command does anywhere. */
const ofTheShell =
  'path|cdpath|fpath|manpath|mailpath|module_path|status|pipestatus|options|argv|commands|functions|aliases|history|signals|PATH|HOME|IFS|PWD|USER|UID|SHELL|TERM|LANG';

it.each(documents)('no command sets a variable of the shell itself: %s', (document) => {
  const text = readFileSync(document, 'utf8');
  const commands = [...fencesIn(text, 'sh'), ...fencesIn(text, 'bash')].join('\n');
  expect(commands.match(new RegExp(`(^|[\\s;({])(${ofTheShell})=`, 'gm')) ?? []).toEqual([]);
});

function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ['-c', ':']).status === 0;
}

/** The blocks of a document that are run. */
function commandsOf(document: string): string[] {
  return fencesIn(readFileSync(document, 'utf8'), 'sh').filter((block) => block !== startCommand);
}

interface RunDocument {
  code: number | null;
  /** All that was printed. */
  output: string;
  /** What the block printed that begins with these words. */
  outputOf: (start: string) => string;
}

/**
 * Runs the commands of a document as a reader does: every block marked `sh`, in order, in one shell, on a service that was started
 * as the document says. Three things differ: `npm ci` has been run already, port and data directory are the test's own, and
 * `skn_pat_...` stands for the token that the service printed. The first command that fails is the last.
 */
async function runDocument(
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
class CommandServer implements AsyncDisposable {
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
class StartedService implements AsyncDisposable {
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
