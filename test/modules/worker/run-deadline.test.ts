/** A response whose deadline passes before the model has said anything. */
import { expect, it } from 'vitest';
import { GenerationError, type GenerationEvent } from '../../../src/modules/responses/generation/processor.js';
import { openedWorld } from '../protocol/protocol-world.js';
import { oneRun } from './one-run.js';

const world = openedWorld();

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
  const { run, ended, ...facts } = await oneRun(world(), stage);
  await ended;
  expect(facts.calls()).toBe(calls);
  const { status, errorCode, errorMessage } = await world().database.response.findUniqueOrThrow({
    where: { messageId: run.messageId },
  });
  expect([status, errorCode, errorMessage]).toEqual(['failed', ...error]);
});
