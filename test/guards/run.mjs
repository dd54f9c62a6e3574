/**
 * `npm run guards`: removes one guard at a time, of the state protocol, of sign-in or of the web's edge, in a copy, and demands
 * that the tests notice. Ends with status 1 where a guard can go without a test turning red, for then nothing holds it.
 * `guards.json` has the guards as they stand in the sources; one that was rewritten must be rewritten there too. `tests` are the
 * files that notice, the quickest first; `only` names the tests there that do, where the others would take long.
 * `--after-tests` says that the tests have just passed with every guard in place, so that they are not run for that once more.
 * `--only <words>` tries the guards that have these words in their names, and `--changed <commit>` those whose file, or the file of
 * whose tests, is not as it was in that commit.
 */
import { fork, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: { 'after-tests': { type: 'boolean' }, only: { type: 'string' }, changed: { type: 'string' } },
});
const started = performance.now();
const all = JSON.parse(readFileSync(join(import.meta.dirname, 'guards.json'), 'utf8'));
const changed = options.changed === undefined ? null : filesChangedSince(options.changed);
const wanted = all.filter(({ name, file, tests }) => {
  const isTouched = changed === null || [file, ...tests].some((path) => changed.has(path));
  return isTouched && name.includes(options.only ?? '');
});
// Tests that skip notice nothing either.
const guards = wanted.filter(({ needs }) => needs === undefined || isInstalled(needs));
if (guards.length < wanted.length)
  console.log(`${wanted.length - guards.length} guards are not tried: their tests need a program that is not here`);

/** A copy of the sources with a process of its own. */
class Copy {
  #folder;
  #child;

  constructor(folder) {
    this.#folder = folder;
    this.#start();
  }

  #start() {
    this.#child = fork(join(import.meta.dirname, 'try-guards.mjs'), { cwd: this.#folder });
  }

  /** Asks its process, and gives what that answers. */
  ask(task) {
    const child = this.#child;
    return new Promise((done, fail) => {
      const onExit = (status) => fail(new Error(`the process of a copy has ended with ${status}`));
      child.once('exit', onExit);
      child.once('message', ({ result, error }) => {
        child.off('exit', onExit);
        if (error === undefined) done(result);
        else fail(new Error(error));
      });
      child.send(task, (error) => error && fail(error));
    });
  }

  async #end() {
    await this.ask({ isLast: true });
    this.#child.disconnect();
  }

  async restart() {
    await this.#end();
    this.#start();
  }

  async remove() {
    await this.#end().finally(() => this.removeNow());
  }

  removeNow() {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Twice as many as there are processors, because many a test notices by waiting in vain. */
const copies = Array.from({ length: Math.min(4, 2 * availableParallelism()) }, makeCopy);
// The processes of the copies end with this one.
process.once('exit', () => {
  for (const copy of copies) copy.removeNow();
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const holes = [];
let tried = 0;
try {
  await shareOut(greenRuns(), expectGreen);
  // The database is migrated once for each process of a copy, and anew for each of these.
  await shareOut(
    [...guards].sort((one, other) => isMigration(one) - isMigration(other)),
    tryGuard,
  );
  console.log(`${guards.length} guards in ${secondsSince(started)} s`);
} catch (error) {
  // Printed before the copies are removed, which can fail for it.
  console.error(error);
  process.exitCode = 1;
}
for (const copy of copies) await copy.remove();
if (holes.length > 0) {
  console.error(`No test holds: ${holes.join('; ')}`);
  process.exitCode = 1;
}

/** Those that git knows, and new ones. */
function filesChangedSince(commit) {
  const lists = [
    ['diff', '--name-only', commit],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }));
  for (const { status, stderr } of lists) if (status !== 0) throw new Error(`git has no answer: ${stderr}`);
  return new Set(lists.flatMap(({ stdout }) => stdout.split('\n')));
}

function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

function isMigration({ file }) {
  return file.startsWith('prisma/');
}

function secondsSince(moment) {
  return ((performance.now() - moment) / 1000).toFixed(1);
}

function makeCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'skein-guards-'));
  for (const name of [
    'scripts',
    'src',
    'prisma',
    'test',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'schema.graphql',
    'README.md',
    'docs',
    // What the pages are served from.
    'dist/web',
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return new Copy(folder);
}

/** Each copy takes one after the other, for as long as any are left. */
async function shareOut(items, work) {
  const left = [...items];
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = left.shift(); next; next = left.shift()) await work(copy, next);
    }),
  );
}

/**
 * A test that is red anyway notices nothing. Those that are run by name are not known to pass without what comes before them, and
 * the others of their files may need what a copy does not have, such as the program.
 */
function greenRuns() {
  const whole = guards.filter(({ only }) => only === undefined && !options['after-tests']);
  const files = [...new Set(whole.flatMap(({ tests }) => tests))];
  const named = guards
    .filter(({ only }) => only !== undefined)
    .map(({ tests, only }) => JSON.stringify({ tests, only }));
  return [...files.map((file) => ({ tests: [file] })), ...[...new Set(named)].map((text) => JSON.parse(text))];
}

async function expectGreen(copy, { tests, only }) {
  const red = await copy.ask({ tests, only });
  if (red) throw new Error(`Red with every guard in place: ${red.test}\n${red.error}`);
}

async function tryGuard(copy, guard) {
  const begun = performance.now();
  if (isMigration(guard)) await copy.restart();
  const red = await copy.ask({ guard });
  if (red === null) holes.push(guard.name);
  tried += 1;
  const verdict = red === null ? 'NOT NOTICED' : 'noticed';
  console.log(`${tried}/${guards.length}  ${verdict}  without ${guard.name}  (${secondsSince(begun)} s)`);
  if (red !== null) console.log(`        by ${red.test}`);
}
