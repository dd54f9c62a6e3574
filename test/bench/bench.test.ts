/** The benchmarks run and fill their table. How fast they are is asserted nowhere: that is a property of the machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasRedis } from '../support/redis.js';

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

describe('npm run bench', () => {
  it('measures everything, beside its baseline', { timeout: 240_000 }, async () => {
    const { stdout } = await bench('--quick');
    const lines = stdout.split('\n');
    const rows = compared.map((name) => lines.find((line) => line.startsWith(`${name}  `)) ?? `${name} is missing`);
    const figures = /p50 \d+\.\d +p99 \d+\.\d ms .*p50 \d+\.\d +p99 \d+\.\d ms +\d+\.\d\d ×/;
    expect(rows.filter((row) => !figures.test(row))).toEqual([]);
  });

  it('says what there is to measure', async () => {
    const { stdout } = await bench('--help');
    expect(stdout).toMatch(/requests[\s\S]*graphql[\s\S]*tokens[\s\S]*pick-up/);
  });

  it('refuses what it does not know', async () => {
    const refused: unknown = await bench('nothing').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('There is no benchmark nothing') });
  });
});
