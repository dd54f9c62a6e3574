/** One run of a response by itself, without a worker: of a model that a test writes, with a fence that nobody confirms. */
import pLimit from 'p-limit';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { maximumReasoning } from '../../../src/contract.js';
import { Answer } from '../../../src/modules/responses/generation/answer.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import {
  GenerationError,
  type GenerationEvent,
  type Processor,
} from '../../../src/modules/responses/generation/processor.js';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import { runResponse } from '../../../src/modules/responses/generation/run-response.js';
import type { ClaimedResponse } from '../../../src/modules/responses/protocol/claimed-response.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { ActiveRuns, activeRun, StopRequest } from '../../../src/modules/responses/worker/active-runs.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import type { OutcomeWriter } from '../../../src/modules/tokens/log/token-log.js';
import { Budgets } from '../../../src/modules/usage/budgets/budgets.js';
import { ServiceMetrics } from '../../../src/platform/metrics/service-metrics.js';
import { gate } from '../../support/model/model-script.js';
import { ManualClock } from '../manual-clock.js';
import { openedWorld, workerNamed } from '../protocol/protocol-world.js';

const world = openedWorld();

interface RunStage {
  generate: (signal: AbortSignal) => AsyncIterable<GenerationEvent>;
  /** What the run does with the database that is not as usual. */
  database?: PrismaClient;
  /** Time until the deadline of the response. */
  leftMs?: number;
}

/** A run of a new response, what its viewers are told, how often the model is called, and its end. */
async function oneRun({ generate, database = world().database, leftMs }: RunStage) {
  const worker = workerNamed('ann');
  const claimed = await world().running();
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
  const log: { level: number; msg: string }[] = [];
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
    budgets: new Budgets({ database: world().database, prices: new Map(), limitsHit: metrics.limitsHit }),
    metrics,
    tracing: null,
    logger,
  };
  const entry = activeRun(run, fence);
  const ended = runResponse(options, entry);
  return { run, entry, fence, clock, told, calls: () => calls, log, ended };
}

/** Its worker has not heard of its lease for too long, from its first word to its outcome. */
const unsureRun = (generate: RunStage['generate']) => oneRun({ generate });

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
    expect(await world().response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
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
    expect(await world().response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('publishes nothing if somebody else has ended the response', async () => {
    const going = gate();
    const { told, ended, run } = await unsureRun(async function* () {
      yield { type: 'text', text: 'Hel' };
      await going.passed;
    });
    await world().expireLease(run);
    await world().passDeadline(run);
    await reclaim(world().database, workerNamed('bob'), 1);
    going.open();
    await ended;
    expect(told).toEqual(['(end)']);
    expect(await world().response(run.messageId)).toMatchObject({ status: 'failed' });
  });
});

const defect = new TypeError('x is not a function');
const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A database whose statements with these words throw, at most so many times. */
function broken(
  [words, times = Number.POSITIVE_INFINITY]: readonly [string, number?],
  error: Error = defect,
): PrismaClient {
  let left = times;
  const run = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const { text } = 'text' in query ? query : Prisma.sql(query, ...values);
    if (!text.includes(words) || left === 0) return world().database.$queryRaw(query, ...values);
    left -= 1;
    throw error;
  };
  return Object.create(world().database, { $queryRaw: { value: run } }) as PrismaClient;
}

async function* hello(): AsyncGenerator<GenerationEvent> {
  yield { type: 'text', text: 'Hello' };
}

async function* half(): AsyncGenerator<GenerationEvent> {
  yield { type: 'text', text: 'Hel' };
  throw new GenerationError('model_connection_lost', 'It broke off.', { retryable: true });
}

const settling = 'UPDATE response r SET status = ended.status';
const withText = 'INSERT INTO message ';
const failed = { status: 'failed', errorCode: 'internal_error' };

it.each([
  ['reads the conversation', hello, ['FROM message'], failed, ['user: Hi']],
  ['announces another call', half, ['SET retry ='], failed, ['user: Hi', 'assistant: Hel']],
  ['stores its outcome, once', hello, [settling, 1], failed, ['user: Hi', 'assistant: Hello']],
  ['stores its text', hello, [withText], failed, ['user: Hi']],
  ['stores any outcome', hello, [settling], { status: 'running', errorCode: null }, ['user: Hi']],
] as const)('a run that fails where it %s', async (_where, generate, breaks, response, messages) => {
  const { run, log, ended, told } = await oneRun({ generate, database: broken(breaks) });
  await ended;
  expect(await world().response(run.messageId)).toMatchObject(response);
  expect(await world().messages(run.threadId)).toEqual(messages);
  expect(log.find(({ level }) => level === 50)).toMatchObject({ err: { type: 'TypeError' } });
  expect(told.at(-1)).toBe('(end)');
});

/** Says "Hel", and is then stopped as the worker does it. */
async function stoppedRun(database: PrismaClient) {
  const said = gate();
  const stage = await oneRun({
    database,
    generate: async function* (signal) {
      yield { type: 'text', text: 'Hel' };
      said.open();
      yield* silent(signal);
    },
  });
  await said.passed;
  await world().requestStop(stage.run);
  stage.entry.generation.abort(new StopRequest('somebody asked to stop the response'));
  return stage;
}

describe('a stopped run whose outcome meets an outage of the database', () => {
  it('keeps its text', async () => {
    const { run, ended } = await stoppedRun(broken([settling, 2], outage));
    await ended;
    expect(await world().response(run.messageId)).toMatchObject({ status: 'interrupted', attempt: 1 });
    expect(await world().messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hel']);
  });

  it('ends without an outcome if the process stops', async () => {
    const { run, entry, ended } = await stoppedRun(broken([settling], outage));
    entry.abort.abort(new Error('the process is stopping'));
    await ended;
    expect(await world().response(run.messageId)).toMatchObject({ status: 'running' });
  });
});

async function* silent(signal: AbortSignal): AsyncGenerator<GenerationEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function away(): AsyncIterable<GenerationEvent> {
  const fault = new GenerationError('model_unavailable', 'It is away.', { retryable: true, retryAfterMs: 60_000 });
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(fault) }) };
}

const late = ['model_timeout', 'The AI model did not finish its answer in time.'];

it.each([
  ['before the first call', { leftMs: 0, generate: silent }, 0, late],
  ['after a call in which the model was silent', { leftMs: 100, generate: silent }, 1, late],
  [
    'before the provider wants the next call',
    { leftMs: 30_000, generate: away },
    1,
    ['model_unavailable', 'It is away.'],
  ],
] as const)('the model is not called past the deadline of a response: %s', async (_when, stage, calls, error) => {
  const { run, ended, ...facts } = await oneRun(stage);
  await ended;
  expect(facts.calls()).toBe(calls);
  const { status, errorCode, errorMessage } = await world().database.response.findUniqueOrThrow({
    where: { messageId: run.messageId },
  });
  expect([status, errorCode, errorMessage]).toEqual(['failed', ...error]);
});

it('keeps the beginning of 300,000 pieces, and never half of a character', async () => {
  const run = await world().running();
  const tokens = { open: () => true, append: () => true, settling: () => undefined, end: () => undefined };
  const fence = new PublishingFence<TokenEntry>({ clock: { now: () => 0 }, safeLeaseMs: 1 });
  const answer = new Answer(tokens, { run, fence });
  const piece = 'x😀';
  // Taking all that was said before into account with each piece would take minutes.
  for (let n = 0; n < 300_000; n += 1) answer.take({ type: 'thinking', text: piece });
  const expected = piece.repeat(maximumReasoning).slice(0, maximumReasoning - 1);
  expect(answer.reasoning?.slice(0, -1)).toBe(expected);
  expect(answer.reasoning).toHaveLength(maximumReasoning);
  expect(answer.reasoning?.isWellFormed()).toBe(true);
});

it('a stop that comes before the run that it names reaches it, whatever other runs are brought meanwhile', async () => {
  const runs = new ActiveRuns(Number.POSITIVE_INFINITY);
  const run = { messageId: 'msg_1' } as ClaimedResponse;
  const reasons: unknown[] = [];
  await runs.collect(async () => {
    await runs.collect(async () => runs.stopByRequest(run.messageId));
    await runs.add({ run, askedMs: 0 }, async ({ generation }) => {
      reasons.push(generation.signal.reason);
    });
  });
  await runs.collect(() =>
    runs.add({ run, askedMs: 0 }, async ({ generation }) => {
      reasons.push(generation.signal.reason);
    }),
  );
  expect(reasons).toEqual([expect.any(StopRequest), undefined]);
});
