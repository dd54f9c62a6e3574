import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitGeneration } from '../../src/modules/responses/generation/limits.js';
import type { GenerationEvent } from '../../src/modules/responses/generation/processor.js';

const limits = { firstEventMs: 60_000, silenceMs: 30_000, totalMs: 100_000, maxTextBytes: 10 };
const never = new AbortController().signal;
const words = (text: string): GenerationEvent => ({ type: 'text', text });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A source that yields each event after its delay, then stays silent for ever unless told to end; it ignores its signal. */
function sourceOf(steps: [number, GenerationEvent][], options: { ends?: boolean } = {}) {
  const signals: AbortSignal[] = [];
  async function* source(signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    signals.push(signal);
    for (const [delayMs, event] of steps) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      yield event;
    }
    if (!options.ends) await new Promise(() => undefined);
  }
  return { source, signals };
}

async function read(events: AsyncIterable<GenerationEvent>) {
  const heard: GenerationEvent[] = [];
  let error: unknown;
  try {
    for await (const event of events) heard.push(event);
  } catch (caught) {
    error = caught;
  }
  return { heard, error };
}

describe('a generation within its limits', () => {
  it('passes through unchanged', async () => {
    const choice: GenerationEvent = { type: 'choice', toolUseId: 'c', question: 'Q', choices: ['A', 'B'] };
    const usage: GenerationEvent = { type: 'usage', inputTokens: 1, outputTokens: 2 };
    const { source, signals } = sourceOf(
      [
        [0, words('Hello')],
        [0, choice],
        [0, usage],
      ],
      { ends: true },
    );
    expect(await read(limitGeneration(source, limits, never))).toEqual({
      heard: [words('Hello'), choice, usage],
      error: undefined,
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('passes on the fault of the source', async () => {
    const fault = new Error('broken');
    const source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(fault) }) });
    expect(await read(limitGeneration(source, limits, never))).toEqual({ heard: [], error: fault });
  });
});

describe('a source that ignores its signal', () => {
  it('is abandoned if it does not begin in time', async () => {
    const { source, signals } = sourceOf([]);
    const result = read(limitGeneration(source, limits, never));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ heard: [], error: { code: 'model_timeout', retryable: true } });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is abandoned if it falls silent, after the text before was passed on', async () => {
    const { source } = sourceOf([[59_000, words('Half')]]);
    const result = read(limitGeneration(source, limits, never));
    await vi.advanceTimersByTimeAsync(59_000 + 30_000);
    const { heard, error } = await result;
    expect(heard).toEqual([words('Half')]);
    expect(error).toMatchObject({
      code: 'model_timeout',
      message: 'The AI model fell silent in the middle of its answer.',
    });
  });

  it('is abandoned if it takes too long in total', async () => {
    const { source } = sourceOf(Array.from({ length: 9 }, () => [20_000, words('a')]));
    const result = read(limitGeneration(source, limits, never));
    await vi.advanceTimersByTimeAsync(100_000);
    const { error } = await result;
    expect(error).toMatchObject({ code: 'model_timeout', message: 'The AI model did not finish its answer in time.' });
    await vi.advanceTimersByTimeAsync(20_000);
  });

  it('is abandoned at once when the caller aborts', async () => {
    const { source, signals } = sourceOf([[0, words('Half')]]);
    const stop = new AbortController();
    const result = read(limitGeneration(source, limits, stop.signal));
    await vi.advanceTimersByTimeAsync(0);
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await result).toEqual({ heard: [words('Half')], error: reason });
    expect(signals[0]?.reason).toBe(reason);
  });
});

describe('silence', () => {
  it('is broken by an empty text, which is not passed on', async () => {
    const alive: GenerationEvent = { type: 'thinking', text: '' };
    const { source } = sourceOf(
      [
        [25_000, alive],
        [25_000, alive],
        [25_000, words('Done')],
      ],
      { ends: true },
    );
    const result = read(limitGeneration(source, limits, never));
    await vi.advanceTimersByTimeAsync(75_000);
    expect(await result).toEqual({ heard: [words('Done')], error: undefined });
  });

  it('does not include the time that the reader takes', async () => {
    const { source } = sourceOf(
      [
        [0, words('a')],
        [0, words('b')],
      ],
      { ends: true },
    );
    const events = limitGeneration(source, limits, never);
    await events.next();
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await events.next()).toEqual({ done: false, value: words('b') });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('is measured from when a slow reader asks for more', async () => {
    const { source } = sourceOf([[0, words('a')]]);
    const events = limitGeneration(source, { ...limits, totalMs: 200_000 }, never);
    await events.next();
    await vi.advanceTimersByTimeAsync(90_000);
    const next = read(events);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect((await next).error).toMatchObject({ message: 'The AI model fell silent in the middle of its answer.' });
  });
});

describe('the size', () => {
  it('may be exactly the limit', async () => {
    const { source } = sourceOf(
      [
        [0, words('äöü')],
        [0, words('abcd')],
      ],
      { ends: true },
    );
    expect((await read(limitGeneration(source, limits, never))).error).toBeUndefined();
  });

  it.each<GenerationEvent>([
    words('äöüa'),
    { type: 'thinking', text: 'äöüa' },
    { type: 'choice', toolUseId: 'c', question: 'abcd', choices: ['e', 'fg'] },
  ])('beyond the limit, counted in bytes, ends the generation for good: $type', async (event) => {
    const { source, signals } = sourceOf([
      [0, words('1234')],
      [0, event],
    ]);
    const { heard, error } = await read(limitGeneration(source, limits, never));
    expect(heard).toEqual([words('1234')]);
    expect(error).toMatchObject({ code: 'model_output_too_large', retryable: false });
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('leaving', () => {
  it('aborts the source and runs its clean-up', async () => {
    let cleaned = false;
    let inner: AbortSignal | undefined;
    async function* source(signal: AbortSignal): AsyncGenerator<GenerationEvent> {
      inner = signal;
      try {
        for (;;) yield words('a');
      } finally {
        cleaned = true;
      }
    }
    for await (const _event of limitGeneration(source, limits, never)) break;
    expect(inner?.aborted).toBe(true);
    await vi.waitFor(() => expect(cleaned).toBe(true), { timeout: 20_000 });
  });

  it('before the start, because the caller has already aborted, asks the source for nothing', async () => {
    const { source, signals } = sourceOf([]);
    const reason = new Error('too late');
    expect(await read(limitGeneration(source, limits, AbortSignal.abort(reason)))).toEqual({
      heard: [],
      error: reason,
    });
    expect(signals).toEqual([]);
  });
});
