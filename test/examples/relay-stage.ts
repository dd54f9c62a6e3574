/**
 * Builds the example for Relay as its bundler does, in a folder of its own: the compiler makes the artifacts, TypeScript checks
 * the program with them, and they take the place of the tagged documents.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runRelayCompiler } from '../graphql/documents/relay-project.js';
import type { Chat, Server } from './chat.js';

const require = createRequire(import.meta.url);

export interface RelayExample {
  chat: (server: Server) => Chat;
  remove: () => Promise<void>;
}

/** Throws, with what was printed, where the compiler or TypeScript finds a fault. */
export async function buildRelayExample(): Promise<RelayExample> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-relay-example-'));
  await mkdir(join(folder, 'test'));
  for (const path of ['schema.graphql', 'tsconfig.json', 'src/graphql/document-types', 'test/examples']) {
    await cp(path, join(folder, path), { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const project = join(folder, 'test/examples/relay');
  const { code, output } = await runRelayCompiler(project);
  if (code !== 0) throw new Error(output);
  await checkTypes(project);
  await putArtifactsInPlace(join(project, 'documents.ts'));
  const { relayChat }: { relayChat: RelayExample['chat'] } = await import(pathToFileURL(join(project, 'chat.ts')).href);
  return { chat: relayChat, remove: () => rm(folder, { recursive: true }) };
}

async function checkTypes(project: string): Promise<void> {
  const compiler = join(require.resolve('typescript/package.json'), '../bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '--project', project]);
  } catch (error) {
    const { stdout = '' } = error instanceof Error && 'stdout' in error ? error : {};
    throw new Error(`TypeScript refuses the example for Relay:\n${stdout}`, { cause: error });
  }
}

/** What `babel-plugin-relay` and its like do: each tagged document becomes the artifact of its name. */
async function putArtifactsInPlace(file: string): Promise<void> {
  const source = await readFile(file, 'utf8');
  const names: string[] = [];
  const body = source.replace(/graphql`\s*\w+ (\w+)[^`]*`/g, (_document, name: string) => {
    names.push(name);
    return name;
  });
  const imports = names.map((name) => `import ${name} from './__generated__/${name}.graphql.js';`);
  await writeFile(file, [...imports, body].join('\n'));
}
