/**
 * A turn as a client of REST has it: a message is sent, its answer of some tokens is streamed, and both are stored. The
 * baseline is the same turn written by hand with three commits, on the same database and with the same model, which speaks
 * at once.
 */
import type { Bench, BenchContext, Row } from './bench.js';
import { type Comparison, compareRounds, type Round } from './measuring/compare.js';
import { type TurnServer, takeTurns } from './measuring/turn-load.js';
import type { Child } from './stage/child.js';
import type { BenchPerson } from './stage/seed.js';
import { idle } from './stage/stage.js';
import { comparedCells, latencyCell } from './table.js';

/** How many turns are taken at a time, in words, and the goals: at most so many times dearer. */
const loads = [
  { atATime: 1, words: 'one at a time', limit: 2.5, firstTokenLimit: 3 },
  { atATime: 16, words: '16 at a time', limit: 2.5 },
];

export const turns: Bench = {
  name: 'turns',
  summary: 'a message and the stream of its answer, and the same turn written by hand',
  async run(context) {
    const sides = await startSides(context);
    const rows: Row[] = [];
    for (const { atATime, words, limit, firstTokenLimit } of loads) {
      context.progress(words);
      const { ours, baseline } = sides;
      const rounds = (side: Side) => roundOf(side, { atATime, durationMs: context.scale.turns.roundMs });
      // Twice before it counts, because code that runs for the first time is not compiled yet.
      for (const side of [ours, baseline, ours, baseline]) await rounds(side)();
      for (const side of [ours, baseline]) side.turns = side.cpuMs = side.postgresMs = 0;
      const comparison = await compareRounds(rounds(ours), rounds(baseline), context.scale.turns.rounds);
      rows.push({ what: `turns, ${words}`, ...comparedCells(comparison), limit });
      rows.push({ ...firstTokenRow(words, comparison), ...(firstTokenLimit && { limit: firstTokenLimit }) });
      rows.push(processorRow(`processor time of a turn, ${words}`, { ours, baseline }, ({ cpuMs }) => cpuMs));
      rows.push(processorRow(`that of PostgreSQL, ${words}`, { ours, baseline }, ({ postgresMs }) => postgresMs));
    }
    return rows;
  },
};

interface Side extends TurnServer {
  process: Child;
  settle: () => Promise<void>;
  postgresCpuMs: () => Promise<number>;
  /** Since they were last set to zero: the turns, and the processor time of the process and of PostgreSQL. */
  turns: number;
  cpuMs: number;
  postgresMs: number;
}

async function startSides({ stage, scale }: BenchContext): Promise<{ ours: Side; baseline: Side }> {
  const databaseUrl = await stage.createDatabase();
  const model = await stage.startProgram('model.ts');
  const words = Array.from({ length: scale.turns.tokens }, (_, index) => `word${index} `);
  await model.ask('greet', words);
  const shares = { RESPONSES_PER_USER: '64', RESPONSES_PER_ORGANIZATION: '64' };
  const environment = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: `${model.url}/v1`, ...shares };
  const service = await stage.startService({ databaseUrl, environment });
  const byHand = await stage.startProgram('durable-turn.ts', { DATABASE_URL: databaseUrl, MODEL_URL: model.url });
  const { token, organizationId, userId } = await service.ask<BenchPerson>('person', 'turns');
  const measured = { turns: 0, cpuMs: 0, postgresMs: 0 };
  const common = { token, settle: () => idle(databaseUrl), postgresCpuMs: () => stage.postgresCpuMs(), ...measured };
  return {
    ours: { ...common, process: service, url: `${service.url}/api/v1` },
    baseline: { ...common, process: byHand, url: `${byHand.url}/${organizationId}/${userId}` },
  };
}

function roundOf(side: Side, load: Parameters<typeof takeTurns>[1]): Round {
  return async () => {
    await side.process.busyness();
    const beforeMs = await side.postgresCpuMs();
    const result = await takeTurns(side, load);
    await side.settle();
    side.turns += result.latenciesMs.length;
    side.cpuMs += (await side.process.busyness()).cpuMs;
    side.postgresMs += (await side.postgresCpuMs()) - beforeMs;
    return result;
  };
}

function firstTokenRow(words: string, { ours, baseline }: Comparison): Row {
  const ratio = ours.p50Ms / baseline.p50Ms;
  return { what: `first token, ${words}`, ours: latencyCell(ours), baseline: latencyCell(baseline), ratio };
}

/** What a turn costs. Other programs on the machine affect it little. */
function processorRow(
  what: string,
  { ours, baseline }: Record<'ours' | 'baseline', Side>,
  of: (side: Side) => number,
): Row {
  const msOf = (side: Side) => of(side) / side.turns;
  const cellOf = (side: Side) => `${msOf(side).toFixed(2)} ms`;
  const ratio = msOf(ours) / msOf(baseline);
  // PostgreSQL's time is told in hundredths of a second: a short run may see none.
  return { what, ours: cellOf(ours), baseline: cellOf(baseline), ...(Number.isFinite(ratio) && { ratio }) };
}
