/**
 * The release before this one, built from the history of the repository. Name another one here with each release; what the
 * migrations since then may do is described in docs/operating.md and tested beside this file.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const previousRelease = {
  commit: '8d233d0feb37b29469db5a73b49bd5d228da14bb',
  /** The last of its migrations. */
  lastMigration: '20261122000750_bounded_texts',
};

const run = promisify(execFile);
/** Whoever runs the tests need not own the checkout. */
const anyOwner = ['-c', 'safe.directory=*'];
const sources = ['src', 'prisma', 'package.json', 'package-lock.json', 'tsconfig.json'];

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
 * installed for it. It is bundled from its sources, whose types were checked when it was released, and has an empty page in place of
 * its web application, which may need packages that are gone since.
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
  const PATH = [resolve('node_modules/.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd: made, env: { ...process.env, PATH }, maxBuffer: 2 ** 24 };
  await run(process.execPath, [resolve('scripts/generate-client.mjs')], options);
  const into = ['--dir', 'dist/program', '--format', 'esm', '--keepNames'];
  const target = ['--platform', 'node', '--external', 'pg-native'];
  await run(
    process.execPath,
    [resolve('node_modules/rolldown/bin/cli.mjs'), 'src/main.ts', ...into, ...target],
    options,
  );
  await mkdir(join(made, 'dist/web'));
  await writeFile(join(made, 'dist/web/index.html'), '<!doctype html><title>The release before</title>');
  await rename(made, folder);
  return program;
}
