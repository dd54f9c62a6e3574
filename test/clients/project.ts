/**
 * A project of a developer who calls Skein: the description that the service serves, a client that a generator made from it, and
 * a caller, in a folder of its own. It runs the commands that the generators document.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Access, Client } from './client.js';

/** The program of each generator, and its arguments in the folder of the callers. */
const generators = {
  'openapi-typescript': [
    'openapi-typescript/bin/cli.js',
    'openapi.json',
    '--output',
    'generated/openapi-typescript.d.ts',
  ],
} as const;

export type Generator = keyof typeof generators;

export const generatorNames = Object.keys(generators) as Generator[];

/** Gives the generators TypeScript 5. */
const hook = 'test/support/typescript-5.mjs';

const copied = ['tsconfig.json', 'src/http/problems/codes.ts', hook, 'test/clients'];

export class ClientProject {
  readonly #root: string;
  readonly #folder: string;

  private constructor(root: string) {
    this.#root = root;
    this.#folder = join(root, 'test/clients');
  }

  /** Generates every client. Throws, with what was printed, where a generator refuses the description. */
  static async from(document: object): Promise<ClientProject> {
    const root = await mkdtemp(join(tmpdir(), 'skein-clients-'));
    for (const path of copied) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await cp(path, join(root, path), { recursive: true });
    }
    await writeFile(join(root, 'package.json'), '{ "type": "module" }');
    await symlink(resolve('node_modules'), join(root, 'node_modules'));
    const project = new ClientProject(root);
    await writeFile(join(project.#folder, 'openapi.json'), JSON.stringify(document));
    await Promise.all(generatorNames.map((name) => project.#generate(name)));
    return project;
  }

  /** What TypeScript says of the callers and of what they import; empty where it compiles. */
  async typeErrors(): Promise<string> {
    const { output } = await this.#run([this.#programOf('typescript/bin/tsc'), '--build', 'callers']);
    return output;
  }

  /** The client of a generator, as its caller uses it. */
  async connect(generator: Generator, access: Access): Promise<Client> {
    const url = pathToFileURL(join(this.#folder, 'callers', `${generator}.ts`)).href;
    const caller: { connect: (access: Access) => Client } = await import(url);
    return caller.connect(access);
  }

  remove(): Promise<void> {
    return rm(this.#root, { recursive: true });
  }

  async #generate(name: Generator): Promise<void> {
    const [program, ...args] = generators[name];
    const { code, output } = await this.#run(['--import', join(this.#root, hook), this.#programOf(program), ...args]);
    if (code !== 0) throw new Error(`${name} cannot make a client:\n${output}`);
  }

  #programOf(path: string): string {
    return join(this.#root, 'node_modules', path);
  }

  #run(args: readonly string[]): Promise<{ code: number; output: string }> {
    return new Promise((done) => {
      const child = execFile(process.execPath, args, { cwd: this.#folder }, (_error, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }
}
