/**
 * `node .ci/second-look.mjs <summary>`: runs the files that failed in a run of the tests once more, alone, one after the other,
 * and puts what they count now into its summary. A file that passes this time is named as unstable: it does not hold up the change,
 * but has a defect all the same. Ends with status 1 where a file fails again, or where an error belongs to no file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const none = { passed: 0, failed: 0, skipped: 0, files: [], stray: [] };

const first = readSummary();
const again = first.files.length > 0 ? runAgain(first.files) : none;
const sumOf = (files, name) => files.reduce((total, file) => total + file[name], 0);
const countOf = (name) => first[name] - sumOf(first.files, name) + again[name];
// What a file leaves behind in another's time is seen where that file runs alone.
const stray = first.files.length > 0 ? again.stray : first.stray;
const result = { passed: countOf('passed'), failed: countOf('failed') + stray.length, skipped: countOf('skipped') };
writeFileSync(path, JSON.stringify(result));

for (const { file, tests } of first.files)
  if (!again.files.some((red) => red.file === file))
    for (const test of tests) console.log(`unstable: ${file} › ${test}`);
for (const message of stray) console.error(`An error that belongs to no file of tests: ${message}`);
process.exitCode = result.failed > 0 ? 1 : 0;

function readSummary() {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { ...none, stray: ['the run was cut off before it could tell what failed'] };
  }
}

function runAgain(files) {
  console.log(`Once more, alone: ${files.map(({ file }) => file).join(', ')}`);
  const projects = [...new Set(files.map(({ project }) => `--project=${project}`))];
  const options = ['--maxWorkers=1', ...projects];
  rmSync(path);
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...files.map(({ file }) => file)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_SUMMARY: path },
  });
  return readSummary();
}
