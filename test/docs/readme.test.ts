/** The README is short and begins with the two commands. That all of its commands work is tested with those of the other documents. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fencesIn } from '../support/documents.js';

const readme = readFileSync('README.md', 'utf8');
const lines = readme.trimEnd().split('\n');

describe('README', () => {
  it('has at most 150 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(150);
  });

  it('has lines of at most 120 columns, addresses aside', () => {
    const withoutAddresses = lines.map((line) => line.replaceAll(/\]\([^)]*\)|https?:\/\/[^\s"]+/g, ''));
    expect(withoutAddresses.filter((line) => line.length > 120)).toEqual([]);
  });

  it('begins with the two commands and the token', () => {
    const [start, token] = fencesIn(readme, 'sh');
    expect(start).toBe('npm ci && npm start');
    expect(token).toBe('export SKEIN_TOKEN=skn_pat_...');
  });
});
