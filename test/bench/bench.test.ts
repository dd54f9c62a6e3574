/** The benchmarks run and fill their table. How fast they are is asserted nowhere: that is a property of the machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasRedis } from '../support/redis.js';
import { hasBrowser } from '../web/chromium.js';

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/bench/run.ts', ...args]);

const compared = [
  'requests: GET /me',
  'requests: GET /threads (50)',
  'requests: GET /threads/{id}',
  'requests: GET messages (50)',
  'requests: GET response (poll)',
  'requests: POST /threads, with its response',
  'graphql: me',
  'graphql: thread',
  'graphql: 50 threads',
  'graphql: 50 messages',
  'tokens: one process, write → receipt',
  'tokens: two nodes, PostgreSQL, write → receipt',
  ...(hasRedis ? ['tokens: two nodes, Redis, write → receipt'] : []),
  'pick-up: commit → claimed',
  'pick-up: request → the model is asked',
];

/** What is the same on every machine, so that its limit holds here too. */
const kept = [
  'web: JavaScript of the first view of a conversation',
  'web: JavaScript of the first view of the list of threads',
];

const limited = [
  ...kept,
  'web: first token, write → pixels (p50)',
  'web: frames a second at 200 tokens/s',
  'web: the main thread then',
  'web: Lighthouse, desktop: performance',
  'web: Lighthouse, desktop: accessibility',
  'web: Lighthouse, desktop: best practices',
];

// Each runs a program that loads Lighthouse.
describe('npm run bench', { timeout: 120_000 }, () => {
  it('measures everything, beside its baseline', { timeout: 480_000 }, async () => {
    const { stdout } = await bench('--quick');
    const lines = stdout.split('\n');
    const rowOf = (name: string) => lines.find((line) => line.startsWith(`${name}  `)) ?? `${name} is missing`;
    const figures = /p50 \d+\.\d +p99 \d+\.\d ms .*p50 \d+\.\d +p99 \d+\.\d ms +\d+\.\d\d ×/;
    const verdict = /^(?!.*NaN).*\d.* (kept|OVER|UNDER)$/;
    expect(compared.map(rowOf).filter((row) => !figures.test(row))).toEqual([]);
    if (hasBrowser) {
      expect(limited.map(rowOf).filter((row) => !verdict.test(row))).toEqual([]);
      expect(kept.map(rowOf).filter((row) => !row.endsWith(' kept'))).toEqual([]);
    } else expect(rowOf('web: all')).toContain('skipped: no chromium in PATH');
  });

  it('says what there is to measure', async () => {
    const { stdout } = await bench('--help');
    expect(stdout).toMatch(/requests[\s\S]*graphql[\s\S]*tokens[\s\S]*pick-up[\s\S]*web/);
  });

  it('refuses what it does not know', async () => {
    const refused: unknown = await bench('nothing').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('There is no benchmark nothing') });
  });
});
