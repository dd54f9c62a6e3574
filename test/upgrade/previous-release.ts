/**
 * The release before this one, built from the history of the repository. Name another one here with each release; what the
 * migrations since then may do is described in docs/operating.md and tested beside this file.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const previousRelease = {
  commit: '8d233d0feb37b29469db5a73b49bd5d228da14bb',
  /** The last of its migrations. */
  lastMigration: '20261122000750_bounded_texts',
};

const run = promisify(execFile);
/** Whoever runs the tests need not own the checkout. */
const anyOwner = ['-c', 'safe.directory=*'];
const sources = ['src', 'prisma', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Whether the history is here: a copy of the files alone, or of the last commits, has none. */
export async function hasPreviousRelease(): Promise<boolean> {
  const asked = run('git', [...anyOwner, 'cat-file', '-e', `${previousRelease.commit}^{commit}`]);
  return asked.then(
    () => true,
    () => false,
  );
}

/**
 * The folder of its program, which is built the first time. It stays below `dist`, where it finds the packages of this release:
 * it needs none of its own but those to build it. Of those that this release no longer uses, `@ai-sdk/openai-compatible` stays
 * installed for it. Its web application is left out, and may need packages that are gone since.
 */
export async function previousProgram(): Promise<string> {
  const folder = resolve('dist/previous', previousRelease.commit);
  const program = join(folder, 'dist/program');
  if (existsSync(program)) return program;
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  const archive = join(made, 'sources.tar');
  await run('git', [...anyOwner, 'archive', '--output', archive, previousRelease.commit, ...sources]);
  await run('tar', ['-xf', archive, '-C', made]);
  await replacePages(join(made, 'src/web'));
  await skipTypes(join(made, 'tsconfig.json'));
  await run(process.execPath, [join(made, 'scripts/build.mjs')], { maxBuffer: 2 ** 24 });
  await rename(made, folder);
  return program;
}

/** It was checked when it was released. */
async function skipTypes(path: string): Promise<void> {
  const config = JSON.parse(await readFile(path, 'utf8')) as { compilerOptions: object };
  await writeFile(path, JSON.stringify({ ...config, compilerOptions: { ...config.compilerOptions, noCheck: true } }));
}

/** Puts an empty page in place of the web application. */
async function replacePages(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>The release before</title>');
  await writeFile(
    join(folder, 'vite.config.ts'),
    `export default { root: import.meta.dirname, build: { outDir: '../../dist/web', emptyOutDir: true } };`,
  );
}
