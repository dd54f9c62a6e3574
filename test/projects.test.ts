/** What the configuration of the tests names is there, so that a renamed file neither changes the project nor starts last unnoticed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dice, system } from '../vitest.config.js';
import { long } from './support/longest-first.js';

/** Those that run in `fast` or in `system`. */
function testFiles(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?<!\.stress)\.test\.ts$/.test(name)).map((name) => `test/${name}`);
}

it('the projects and the order of the tests name only files that exist', () => {
  const paths = [...system, ...dice, ...long].map((files) => files.replace(/\/\*.*$/, ''));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('every file that takes a count of cases runs in `stress` as well', () => {
  const counting = /from '.*(case-counts|model-runs|hostile-texts|suffer-outage|node-outage)\.js'/;
  const files = testFiles().filter((file) => counting.test(readFileSync(file, 'utf8')));
  expect(files.sort()).toEqual([...dice].sort());
});

it('only `stress` measures the speed of the machine and the memory of a process', () => {
  const measuring = /from '.*(machine-speed|held-memory)\.js'/;
  const files = testFiles().filter((file) => measuring.test(readFileSync(file, 'utf8')));
  expect(files.filter((file) => !dice.includes(file))).toEqual([]);
});
