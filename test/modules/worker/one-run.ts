/** One run of a response by itself, without a worker: of a model that a test writes, with a fence that nobody confirms. */
import pLimit from 'p-limit';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import type { GenerationEvent, Processor } from '../../../src/modules/responses/generation/processor.js';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import { runResponse } from '../../../src/modules/responses/generation/run-response.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse } from '../../../src/modules/responses/protocol/claimed-response.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import type { OutcomeWriter } from '../../../src/modules/tokens/log/token-log.js';
import { Budgets } from '../../../src/modules/usage/budgets/budgets.js';
import { ServiceMetrics } from '../../../src/platform/metrics/service-metrics.js';
import { ManualClock } from '../manual-clock.js';
import { type ProtocolWorld, workerNamed } from '../protocol/protocol-world.js';

export interface RunStage {
  generate: (signal: AbortSignal) => AsyncIterable<GenerationEvent>;
  /** What the run does with the database that is not as usual. */
  database?: PrismaClient;
  /** Time until the deadline of the response. */
  leftMs?: number;
}

export interface OneRun {
  run: ClaimedResponse;
  fence: PublishingFence<TokenEntry>;
  clock: ManualClock;
  /** What viewers were told. */
  told: string[];
  /** Calls of the model. */
  calls: () => number;
  log: { level: number; msg: string }[];
  ended: Promise<void>;
}

/** A run of a new response, what its viewers are told, and its end. */
export async function oneRun(
  world: ProtocolWorld,
  { generate, database = world.database, leftMs }: RunStage,
): Promise<OneRun> {
  const worker = workerNamed('ann');
  await world.ask();
  const [claimed = expect.fail('nothing was claimed')] = await claim(world.database, worker, 1);
  const run = leftMs === undefined ? claimed : { ...claimed, deadlineMs: performance.now() + leftMs };
  const clock = new ManualClock();
  const fence = new PublishingFence<TokenEntry>({ clock, safeLeaseMs: 5000 });
  const told: string[] = [];
  const tokens: OutcomeWriter = {
    open: () => true,
    append: (_responseId, _epoch, { text }) => told.push(text) > 0,
    settling: () => undefined,
    end: () => told.push('(end)'),
  };
  let calls = 0;
  const short = () => expect.fail('too short for a summary');
  const processor: Processor = {
    model: 'test',
    generate: async ({ signal, calls: budget }, take) => {
      calls += 1;
      budget?.spend();
      for await (const event of generate(signal)) take(event);
    },
    summarize: short,
    name: short,
  };
  const log: OneRun['log'] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(JSON.parse(line)) });
  const metrics = new ServiceMetrics();
  const options = {
    database,
    processors: [processor] as const,
    namer: null,
    tokens,
    worker,
    contextTokens: 100_000,
    retry: { maxCalls: 4, maxUnseenTries: 1, baseMs: 1, maxMs: 60_000 },
    inTurn: pLimit(1),
    limits: defaultGenerationLimits,
    budgets: new Budgets({ database: world.database, prices: new Map(), limitsHit: metrics.limitsHit }),
    metrics,
    tracing: null,
    logger,
  };
  const ended = runResponse(options, { run, abort: new AbortController(), fence, isRestarting: false });
  return { run, fence, clock, told, calls: () => calls, log, ended };
}
