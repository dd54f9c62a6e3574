/**
 * A service under a moderate load that lasts stays as it was: memory, connections and latencies in the last third of the time beside the
 * middle one, and less bookkeeping than content in the tables. It prints what it sees, sixty times. SOAK_SECONDS says for how long; in
 * less than ten minutes the process is still warming up, so that only the run itself is held.
 */
import { expect, it } from 'vitest';
import { runBenchmarks } from './benchmarks.js';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 0);
const note = seconds > 0 ? '' : ' (skipped: takes SOAK_SECONDS, for example 3600)';
const warmUpSeconds = 600;

it.skipIf(seconds === 0)(`hours change nothing${note}`, { timeout: (seconds + 120) * 1000 }, async () => {
  const said: string[] = [];
  const keep = (text: string) => {
    said.push(text);
    process.stdout.write(`${text}\n`);
  };
  expect(await runBenchmarks(['soak'], { table: keep, progress: keep })).toBe(0);
  const rows = said.join('\n').match(/^soak: .*$/gm) ?? [];
  expect(rows).toHaveLength(5);
  if (seconds >= warmUpSeconds) expect(rows.filter((row) => row.endsWith('OVER'))).toEqual([]);
});
