/** How long a token of one answer takes to many viewers at once, each with a stream of their own, and what that costs the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.js';
import { quantile } from './measuring/statistics.js';
import { openViewer } from './measuring/token-viewer.js';
import type { BenchPerson } from './stage/seed.js';
import { latencyCell } from './table.js';
import { createThread, effortOf, settingsOf } from './tokens.js';

export const viewers: Bench = {
  name: 'viewers',
  summary: 'from a token of one answer to its many viewers',
  async run(context) {
    const { stage, scale, progress } = context;
    const { viewers: count, perSecond, tokens } = scale.viewers;
    const model = await stage.startProgram('model.ts');
    const { environment, settings } = settingsOf(context, model);
    const all = await stage.startService({
      environment: { ...environment, STREAMS_PER_USER: String(count + 100) },
      settings,
    });
    const person = await all.ask<BenchPerson>('person', 'viewer');
    await model.ask('schedule', { tokens, perSecond });
    const stream = await createThread(all.url, person);
    progress(`${count} viewers open their streams`);
    await all.busyness();
    const startedMs = performance.now();
    const opened = await Promise.all(Array.from({ length: count }, () => openViewer(stream)));
    const openingMs = performance.now() - startedMs;
    const { cell: opening } = await effortOf('node', all, count);
    while ((await model.ask<number>('waiting')) < 1) await sleep(20);
    progress(`they watch ${tokens / perSecond} s of an answer`);
    await model.ask('speak');
    const latenciesMs = (await Promise.all(opened.map((viewer) => viewer.latenciesMs))).flat();
    if (latenciesMs.length !== count * tokens) {
      throw new Error(`${latenciesMs.length} tokens arrived of ${count * tokens}`);
    }
    const delays = { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) };
    const { cell: effort } = await effortOf('node', all, latenciesMs.length);
    return [
      {
        what: 'of one answer, write → receipt',
        ours: latencyCell(delays),
        baseline: '',
        limit: 100,
        measured: delays.p99Ms,
      },
      { what: 'loop delay p99, CPU a token and viewer', ours: effort, baseline: '' },
      {
        what: 'loop delay p99, CPU an opening',
        ours: `${opening}, all within ${(openingMs / 1000).toFixed(1)} s`,
        baseline: '',
      },
    ];
  },
};
