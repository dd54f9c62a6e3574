/** `npm run bench`. An interrupt removes what the benchmarks have started: that happens at the exit. */
import { runBenchmarks } from './benchmarks.js';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await runBenchmarks(process.argv.slice(2), { table: console.log, progress: console.error });
