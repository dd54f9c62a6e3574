/**
 * The process of one copy for `run.mjs`: it keeps Vitest, what Vitest has compiled, PostgreSQL and the migrated database from
 * one guard to the next, because to start those takes longer than most tests. Each file of tests still gets a new process, so no
 * guard meets what the tests of another one left behind. A migration changes what is kept: for that `run.mjs` starts another one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

const copy = process.cwd();
let vitest;

process.on('message', (task) => {
  answer(task).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
// Its PostgreSQL ends with it, also where the one who asked was killed.
process.on('disconnect', () => process.exit());

async function answer({ guard, tests, only, isLast }) {
  if (isLast) return await vitest?.close();
  return guard ? await tryWithout(guard) : await firstRed(tests, only);
}

/** What turns red without the guard; null where nothing does. */
async function tryWithout({ file, guard, without, tests, only }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(guard).length !== 2) throw new Error(`${file} has "${guard}" not exactly once: rewrite guards.json`);
  change(
    path,
    source.replace(guard, () => without),
  );
  try {
    for (const test of tests) {
      const red = await firstRed([test], only);
      if (red !== null) return red;
    }
    return null;
  } finally {
    change(path, source);
  }
}

function change(path, source) {
  writeFileSync(path, source);
  vitest?.invalidateFile(path);
}

/** Runs files of tests, or what is named like `only` in them, until something is red, and says what; null where nothing is. */
async function firstRed(tests, only) {
  vitest ??= await createVitest('test', {
    root: copy,
    config: join(copy, 'vitest.config.ts'),
    watch: false,
    bail: 1,
    reporters: [{}],
    // The times of red tests are no help to later runs.
    cache: false,
  });
  vitest.setGlobalTestNamePattern(only === undefined ? '' : RegExp(only.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  // A file that cannot even begin must not seem to have the result of its last run.
  vitest.state.filesMap.clear();
  const paths = tests.map((test) => join(copy, test));
  // What has chance in it runs in `stress` as well, for longer.
  const isWanted = ({ moduleId, project }) =>
    paths.includes(moduleId) && (project.name === 'stress') === moduleId.endsWith('.stress.test.ts');
  const specifications = (await vitest.globTestSpecifications(tests)).filter(isWanted);
  if (specifications.length !== tests.length)
    throw new Error(`not all of these are files of tests: ${tests.join(', ')}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.flatMap((module) => [...module.children.allTests('failed')]);
  const errors = [...failed.flatMap((test) => test.result().errors), ...unhandledErrors];
  if (failed[0]) return { test: failed[0].fullName, error: errors[0]?.stack };
  const isGreen = testModules.length === tests.length && testModules.every((module) => module.ok());
  if (isGreen && errors.length === 0) return null;
  const reasons = [...errors, ...testModules.flatMap((module) => module.errors())];
  return { test: tests.join(', '), error: reasons[0]?.stack ?? 'not all of its tests have run' };
}
