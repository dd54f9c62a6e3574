/** What the configuration of the tests names is there, so that a renamed file neither changes the project nor starts last unnoticed. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { long } from './support/longest-first.js';
import { endurance } from './vitest.config.js';

it('the projects and the order of the tests name only files that exist', () => {
  const paths = [...endurance, ...long].map((files) => files.replace('/**', ''));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
