/** The README is short, begins with the two commands, and says nothing that does not work. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runDocument } from './support/document-commands.js';
import { fencesIn } from './support/documents.js';

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

  it('says nothing that does not work', { timeout: 300_000 }, async () => {
    const { code, output, outputOf } = await runDocument('README.md');
    expect(code, output).toBe(0);
    expect(outputOf('CREATED=')).toMatch(/"thread_id":"thr_.*"message_id":"msg_/);
    expect(outputOf('field()')).toMatch(/event: token[\s\S]*event: done/);
    expect(outputOf('curl -sS http://localhost:4000/graphql')).toContain('"name":"First thread"');
  });
});
