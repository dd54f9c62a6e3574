/**
 * `npm run guards`: removes one guard at a time, of the state protocol, of sign-in or of the web's edge, in a copy, and demands
 * that the tests notice. Ends with status 1 where a guard can go without a test turning red, for then nothing holds it.
 * `guards.json` has the guards as they stand in the sources; one that was rewritten must be rewritten there too.
 * `--after-tests` says that the tests have just passed with every guard in place, so that they are not run for that once more.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const all = JSON.parse(readFileSync(join(import.meta.dirname, 'guards.json'), 'utf8'));
// Tests that skip notice nothing either.
const guards = all.filter(({ needs }) => needs === undefined || isInstalled(needs));
if (guards.length < all.length)
  console.log(`${all.length - guards.length} guards are not tried: their tests need a program that is not here`);

const copies = Array.from({ length: Math.min(2, availableParallelism()) }, makeCopy);
const holes = [];
try {
  if (!process.argv.includes('--after-tests')) await expectGreen(copies[0]);
  const left = [...guards.entries()];
  await Promise.all(copies.map((copy) => tryNext(copy, left)));
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
if (holes.length > 0) {
  console.error(`No test holds: ${holes.join('; ')}`);
  process.exitCode = 1;
}

function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

function makeCopy() {
  const copy = mkdtempSync(join(tmpdir(), 'skein-guards-'));
  for (const name of ['src', 'prisma', 'test', 'package.json', 'tsconfig.json', 'schema.graphql', 'README.md']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A test that is red anyway notices nothing. */
async function expectGreen(copy) {
  const { isGreen, output } = await run(copy, [...new Set(guards.flatMap(({ tests }) => tests))]);
  if (!isGreen) throw new Error(`There are red tests with every guard in place:\n${output}`);
}

/** Tries guards in this copy, one after the other, for as long as any are left. */
async function tryNext(copy, left) {
  for (let next = left.shift(); next; next = left.shift()) {
    const [index, guard] = next;
    const started = performance.now();
    const isNoticed = await tryWithout(copy, guard);
    if (!isNoticed) holes.push(guard.name);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${index + 1}/${guards.length}  ${isNoticed ? 'noticed' : 'NOT NOTICED'}  without ${guard.name}  (${seconds} s)`,
    );
  }
}

/** True where one of its tests turns red. */
async function tryWithout(copy, { file, guard, without, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(guard).length !== 2) throw new Error(`${file} has "${guard}" not exactly once: rewrite guards.json`);
  writeFileSync(
    path,
    source.replace(guard, () => without),
  );
  try {
    for (const test of tests) if (!(await run(copy, [test])).isGreen) return true;
    return false;
  } finally {
    writeFileSync(path, source);
  }
}

/** Runs files of tests until the first red one. */
function run(copy, tests) {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', 'test/vitest.config.ts', '--root', '.', '--bail', '1', ...tests];
  const child = spawn(process.execPath, [program, ...args], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done({ isGreen: status === 0, output }));
  });
}
