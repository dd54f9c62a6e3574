/**
 * The benchmarks run and fill their table: one of them by default, all in the project `stress`. How fast they are is asserted nowhere:
 * that is a property of the machine.
 */
import { describe, expect, it } from 'vitest';
import { isStress } from '../support/case-counts.js';
import { hasRedis } from '../support/network/redis.js';
import { hasBrowser } from '../web/chromium.js';
import { runBenchmarks } from './benchmarks.js';

async function bench(...args: string[]): Promise<{ status: number; table: string; progress: string }> {
  const said = { table: '', progress: '' };
  const keep = (where: keyof typeof said) => (text: string) => {
    said[where] += `${text}\n`;
  };
  const status = await runBenchmarks(args, { table: keep('table'), progress: keep('progress') });
  return { status, ...said };
}

const comparedOperations = ['graphql: me', 'graphql: thread', 'graphql: 50 threads', 'graphql: 50 messages'];

const compared = [
  ...comparedOperations,
  'requests: GET /me',
  'requests: GET /threads (50)',
  'requests: GET /threads/{id}',
  'requests: GET messages (50)',
  'requests: GET response (poll)',
  'requests: POST /threads, with its response',
  'turns: turns, one at a time',
  'turns: turns, 16 at a time',
  'turns: first token, one at a time',
  'turns: first token, 16 at a time',
  'tokens: one process, write → receipt',
  'tokens: one process, loop delay p99, CPU a token',
  'tokens: one process, all tokens at once',
  'tokens: two nodes, PostgreSQL, write → receipt',
  'tokens: two nodes, PostgreSQL, loop delay p99, CPU a token',
  ...(hasRedis
    ? ['tokens: two nodes, Redis, write → receipt', 'tokens: two nodes, Redis, loop delay p99, CPU a token']
    : []),
  'size: GET /threads (50) of 100, and of 200',
  'size: search for a word in every message',
  'size: search for a rare word',
];

/** What is the same on every machine, so that its limit holds here too. */
const kept = [
  'web: JavaScript of the first view of a conversation',
  'web: JavaScript of the first view of the list of threads',
];

const limited = [
  ...kept,
  'viewers: of one answer, write → receipt',
  'start: on a data directory that is there',
  'start: memory at rest',
  'start: memory after lists and turns',
  'web: first token, write → pixels (p50)',
  'web: frames a second at 200 tokens/s',
  'web: the main thread then',
];

const figures = /p50 \d+\.\d +p99 \d+\.\d ms .*p50 \d+\.\d +p99 \d+\.\d ms +\d+\.\d\d ×/;
const verdict = /^(?!.*NaN).*\d.* (kept|OVER|UNDER)$/;

async function quickRows(...names: string[]): Promise<(name: string) => string> {
  const { table } = await bench('--quick', ...names);
  const lines = table.split('\n');
  return (name) => lines.find((line) => line.startsWith(`${name}  `)) ?? `${name} is missing`;
}

describe('npm run bench', { timeout: 480_000 }, () => {
  it.runIf(!isStress)('measures the named benchmarks against their baselines', async () => {
    const rowOf = await quickRows('graphql');
    expect(comparedOperations.map(rowOf).filter((row) => !figures.test(row))).toEqual([]);
    expect(rowOf('requests: GET /me')).toContain('is missing');
  });

  it.runIf(isStress)('measures every benchmark against its baseline', async () => {
    const rowOf = await quickRows('requests', 'turns', 'graphql', 'tokens', 'viewers', 'start', 'size', 'soak', 'web');
    expect(compared.map(rowOf).filter((row) => !figures.test(row))).toEqual([]);
    if (hasBrowser) {
      expect(limited.map(rowOf).filter((row) => !verdict.test(row))).toEqual([]);
      expect(kept.map(rowOf).filter((row) => !row.endsWith(' kept'))).toEqual([]);
    } else expect(rowOf('web: all')).toContain('skipped: no chromium in PATH');
  });

  it('lists the benchmarks in its help', async () => {
    const { status, table } = await bench('--help');
    expect(status).toBe(0);
    expect(table).toMatch(/requests[\s\S]*graphql[\s\S]*tokens[\s\S]*web/);
  });

  it('refuses an unknown benchmark', async () => {
    const { status, table, progress } = await bench('nothing');
    expect({ status, table }).toEqual({ status: 64, table: '' });
    expect(progress).toContain('There is no benchmark nothing');
  });
});
