/** A run whose worker has not heard of its lease for too long, from its first word to its outcome. */
import pLimit from 'p-limit';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import {
  GenerationError,
  type GenerationEvent,
  type Processor,
} from '../../../src/modules/responses/generation/processor.js';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import { runResponse } from '../../../src/modules/responses/generation/run-response.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import type { ActiveRun } from '../../../src/modules/responses/worker/active-runs.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import type { OutcomeWriter } from '../../../src/modules/tokens/log/token-log.js';
import { Budgets } from '../../../src/modules/usage/budgets/budgets.js';
import { ServiceMetrics } from '../../../src/platform/metrics/service-metrics.js';
import { gate } from '../../support/model/model-script.js';
import { ManualClock } from '../manual-clock.js';
import { ProtocolWorld, workerNamed } from '../protocol/protocol-world.js';

const ann = workerNamed('ann');

let world: ProtocolWorld;
beforeAll(async () => {
  world = await ProtocolWorld.open();
});
afterAll(() => world.close());

/** A run that nobody has confirmed, what its viewers are told, and its end. */
async function unsureRun(generate: () => AsyncIterable<GenerationEvent>) {
  await world.ask();
  const [run] = await claim(world.database, ann, 1);
  const clock = new ManualClock();
  const fence = new PublishingFence<TokenEntry>({ clock, safeLeaseMs: 5000 });
  const entry: ActiveRun = {
    run: run ?? expect.fail('nothing was claimed'),
    abort: new AbortController(),
    fence,
    isRestarting: false,
  };
  const told: string[] = [];
  const tokens: OutcomeWriter = {
    open: () => true,
    append: (_responseId, _epoch, { text }) => told.push(text) > 0,
    settling: () => undefined,
    end: () => told.push('(end)'),
  };
  const short = () => expect.fail('too short for a summary');
  const processor: Processor = { model: 'test', generate, summarize: short, name: short };
  const metrics = new ServiceMetrics();
  const options = {
    database: world.database,
    processors: [processor] as const,
    namer: null,
    tokens,
    worker: ann,
    contextTokens: 100_000,
  };
  const retry = { maxCalls: 4, maxUnseenTries: 1, baseMs: 1, maxMs: 60_000 };
  const inTurn = pLimit(1);
  const budgets = new Budgets({ database: world.database, prices: new Map(), limitsHit: metrics.limitsHit });
  const reports = { metrics, tracing: null, logger: pino({ level: 'silent' }) };
  const ended = runResponse({ ...options, ...reports, budgets, inTurn, retry, limits: defaultGenerationLimits }, entry);
  return { fence, clock, told, ended, run: entry.run };
}

describe('a run whose lease is not known to be valid', () => {
  it('shows its viewers nothing, then everything once its outcome is stored', async () => {
    const said = gate();
    const going = gate();
    const { told, ended, run } = await unsureRun(async function* () {
      yield { type: 'text', text: 'Hel' };
      said.open();
      await going.passed;
      yield { type: 'text', text: 'lo' };
    });
    await said.passed;
    expect(told).toEqual([]);
    going.open();
    await ended;
    expect(told).toEqual(['Hel', 'lo', '(end)']);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('never shows the text of a try that failed unseen, even if the lease becomes valid before the next try', async () => {
    let tries = 0;
    const pausing = gate();
    const { fence, clock, told, ended, run } = await unsureRun(async function* () {
      tries += 1;
      yield { type: 'text', text: 'Hel' };
      if (tries > 1) return yield { type: 'text', text: 'lo' };
      pausing.open();
      throw new GenerationError('model_unavailable', 'It is away.', { retryable: true, retryAfterMs: 100 });
    });
    await pausing.passed;
    await new Promise(setImmediate);
    fence.confirm(clock.now());
    await ended;
    expect(told.join('')).toBe('Hello(end)');
    expect(await world.response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('publishes nothing if somebody else has ended the response', async () => {
    const going = gate();
    const { told, ended, run } = await unsureRun(async function* () {
      yield { type: 'text', text: 'Hel' };
      await going.passed;
    });
    await world.expireLease(run);
    await world.passDeadline(run);
    await reclaim(world.database, workerNamed('bob'), 1);
    going.open();
    await ended;
    expect(told).toEqual(['(end)']);
    expect(await world.response(run.messageId)).toMatchObject({ status: 'failed' });
  });
});
