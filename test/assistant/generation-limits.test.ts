import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitGeneration } from '../../src/modules/responses/generation/limits.js';
import type { GenerationEvent, TakeEvent } from '../../src/modules/responses/generation/processor.js';
import { fakeTimers, realTimers } from '../support/fake-timers.js';

const limits = { firstEventMs: 60_000, silenceMs: 30_000, totalMs: 100_000, maxTextBytes: 10 };
const never = new AbortController().signal;
const words = (text: string): GenerationEvent => ({ type: 'text', text });

beforeEach(() => {
  fakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  realTimers();
});

/** A source that says each event after its delay, and then ends or stays silent for ever; it ignores its signal. */
function sourceOf(ends: boolean, ...steps: [number, GenerationEvent][]) {
  const signals: AbortSignal[] = [];
  const source = async (signal: AbortSignal, take: TakeEvent) => {
    signals.push(signal);
    for (const [delayMs, event] of steps) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      take(event);
    }
    if (!ends) await new Promise(() => undefined);
  };
  return { source, signals };
}

async function read(source: Parameters<typeof limitGeneration>[0], signal = never) {
  const heard: GenerationEvent[] = [];
  const take = (event: GenerationEvent) => void heard.push(event);
  const error: unknown = await limitGeneration(source, { limits, signal }, take).catch((caught: unknown) => caught);
  return { heard, error };
}

describe('a generation within its limits', () => {
  it('passes through unchanged', async () => {
    const choice: GenerationEvent = { type: 'choice', toolUseId: 'c', question: 'Q', choices: ['A', 'B'] };
    const usage: GenerationEvent = { type: 'usage', inputTokens: 1, outputTokens: 2 };
    const { source, signals } = sourceOf(true, [0, words('Hello')], [0, choice], [0, usage]);
    expect(await read(source)).toEqual({ heard: [words('Hello'), choice, usage], error: undefined });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('passes on the fault of the source', async () => {
    const fault = new Error('broken');
    const source = () => Promise.reject(fault);
    expect(await read(source)).toEqual({ heard: [], error: fault });
  });
});

describe('a source that ignores its signal', () => {
  it('is abandoned if it does not begin in time', async () => {
    const { source, signals } = sourceOf(false);
    const result = read(source);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ heard: [], error: { code: 'model_timeout', retryable: true } });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is abandoned if it falls silent, after the text before was passed on', async () => {
    const { source } = sourceOf(false, [59_000, words('Half')]);
    const result = read(source);
    await vi.advanceTimersByTimeAsync(59_000 + 30_000);
    const { heard, error } = await result;
    expect(heard).toEqual([words('Half')]);
    expect(error).toMatchObject({
      code: 'model_timeout',
      message: 'The AI model fell silent in the middle of its answer.',
    });
  });

  it('is abandoned if it takes too long in total', async () => {
    const { source } = sourceOf(
      false,
      ...Array.from({ length: 9 }, (): [number, GenerationEvent] => [20_000, words('a')]),
    );
    const result = read(source);
    await vi.advanceTimersByTimeAsync(100_000);
    const { error } = await result;
    expect(error).toMatchObject({ code: 'model_timeout', message: 'The AI model did not finish its answer in time.' });
    await vi.advanceTimersByTimeAsync(20_000);
  });

  it('is abandoned at once when the caller aborts', async () => {
    const { source, signals } = sourceOf(false, [0, words('Half')]);
    const stop = new AbortController();
    const result = read(source, stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await result).toEqual({ heard: [words('Half')], error: reason });
    expect(signals[0]?.reason).toBe(reason);
  });
});

it('silence is broken by an empty text, which is not passed on', async () => {
  const alive: GenerationEvent = { type: 'thinking', text: '' };
  const { source } = sourceOf(true, [25_000, alive], [25_000, alive], [25_000, words('Done')]);
  const result = read(source);
  await vi.advanceTimersByTimeAsync(75_000);
  expect(await result).toEqual({ heard: [words('Done')], error: undefined });
});

describe('the size', () => {
  it('may be exactly the limit', async () => {
    const { source } = sourceOf(true, [0, words('äöü')], [0, words('abcd')]);
    expect((await read(source)).error).toBeUndefined();
  });

  it.each<GenerationEvent>([
    words('äöüa'),
    { type: 'thinking', text: 'äöüa' },
    { type: 'choice', toolUseId: 'c', question: 'abcd', choices: ['e', 'fg'] },
  ])('beyond the limit, counted in bytes, ends the generation for good: $type', async (event) => {
    const { source, signals } = sourceOf(false, [0, words('1234')], [0, event]);
    const { heard, error } = await read(source);
    expect(heard).toEqual([words('1234')]);
    expect(error).toMatchObject({ code: 'model_output_too_large', retryable: false });
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('a reader', () => {
  it('that throws ends the generation with its error, whatever the source makes of it', async () => {
    const fault = new Error('the reader has a defect');
    let inner: AbortSignal | undefined;
    const source = async (signal: AbortSignal, take: TakeEvent) => {
      inner = signal;
      try {
        take(words('a'));
      } catch (cause) {
        throw new Error('the model has failed', { cause });
      }
    };
    const options = { limits, signal: never };
    const generation = limitGeneration(source, options, () => {
      throw fault;
    });
    await expect(generation).rejects.toBe(fault);
    expect(inner?.reason).toBe(fault);
  });

  it('hears nothing more of a source that goes on after its end', async () => {
    const { source } = sourceOf(false, [70_000, words('late')]);
    const result = read(source);
    await vi.advanceTimersByTimeAsync(70_000);
    expect(await result).toMatchObject({ heard: [], error: { code: 'model_timeout' } });
  });

  it('that has left before the start asks the source for nothing', async () => {
    const { source, signals } = sourceOf(false);
    const reason = new Error('too late');
    expect(await read(source, AbortSignal.abort(reason))).toEqual({ heard: [], error: reason });
    expect(signals).toEqual([]);
  });
});
