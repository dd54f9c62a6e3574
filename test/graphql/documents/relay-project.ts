/** A project of Relay in a folder of its own, and the compiler that its developers run. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');

export interface CompilerRun {
  code: number;
  output: string;
}

/** Runs `relay-compiler` where the configuration is. It finds all of its files without a network and without Watchman. */
export function runRelayCompiler(folder: string): Promise<CompilerRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [compiler, 'relay.config.json'],
      { cwd: folder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** Compiles documents against a schema; each is a source file of its name. */
export async function compileDocuments(schema: string, documents: Record<string, string>): Promise<CompilerRun> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-relay-'));
  try {
    const config = { src: '.', schema: 'schema.graphql', language: 'typescript' };
    await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
    await writeFile(join(folder, 'schema.graphql'), schema);
    for (const [name, document] of Object.entries(documents)) {
      const source = `import { graphql } from 'relay-runtime';\nexport default graphql\`${document}\`;\n`;
      await writeFile(join(folder, `${name}.ts`), source);
    }
    return await runRelayCompiler(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
