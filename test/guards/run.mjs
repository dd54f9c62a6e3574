/**
 * `npm run guards`: removes one guard of the protocol at a time, in a copy, and demands that the tests notice. Ends with
 * status 1 where a guard can go without a test turning red, for then nothing holds it. `guards.json` has the guards as they
 * stand in the sources; one that was rewritten must be rewritten there too.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const all = JSON.parse(readFileSync(join(import.meta.dirname, 'guards.json'), 'utf8'));
// Tests that skip notice nothing either.
const guards = all.filter(({ needs }) => needs === undefined || isInstalled(needs));
if (guards.length < all.length)
  console.log(`${all.length - guards.length} guards are not tried: their tests need a program that is not here`);
const copy = mkdtempSync(join(tmpdir(), 'skein-guards-'));
for (const name of ['src', 'prisma', 'test', 'package.json', 'tsconfig.json', 'schema.graphql', 'README.md']) {
  cpSync(join(root, name), join(copy, name), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const holes = [];
try {
  // A test that is red anyway notices nothing.
  for (const test of new Set(guards.flatMap(({ tests }) => tests))) {
    if (!passes(test)) throw new Error(`${test} fails with every guard in place`);
  }
  for (const [index, { name, file, guard, without, tests }] of guards.entries()) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(guard).length !== 2)
      throw new Error(`${file} has "${guard}" not exactly once: rewrite guards.json`);
    writeFileSync(
      path,
      source.replace(guard, () => without),
    );
    const started = performance.now();
    const isNoticed = tests.some((test) => !passes(test));
    writeFileSync(path, source);
    if (!isNoticed) holes.push(name);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${index + 1}/${guards.length}  ${isNoticed ? 'noticed' : 'NOT NOTICED'}  without ${name}  (${seconds} s)`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
if (holes.length > 0) {
  console.error(`No test holds: ${holes.join('; ')}`);
  process.exitCode = 1;
}

function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

function passes(test) {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', 'test/vitest.config.ts', '--root', '.', test];
  return spawnSync(process.execPath, [program, ...args], { cwd: copy, stdio: 'ignore' }).status === 0;
}
