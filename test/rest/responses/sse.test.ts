import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatFrame, type SseEvent, SseStream } from '../../../src/rest/sse.js';

const token = (value: string, id: string): SseEvent => ({ event: 'token', data: { token: value }, id });

const asIs = (event: SseEvent) => event;

/** A source that a test feeds, and that counts how often it was asked. */
class Source implements AsyncIterator<SseEvent> {
  asked = 0;
  returned = 0;
  #answer: ((result: Promise<IteratorResult<SseEvent>>) => void) | undefined;

  next(): Promise<IteratorResult<SseEvent>> {
    this.asked += 1;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  return(): Promise<IteratorResult<SseEvent>> {
    this.returned += 1;
    return Promise.resolve({ done: true, value: undefined });
  }

  give(event: SseEvent): void {
    this.#answer?.(Promise.resolve({ done: false, value: event }));
  }

  end(): void {
    this.#answer?.(Promise.resolve({ done: true, value: undefined }));
  }

  fail(error: Error): void {
    this.#answer?.(Promise.reject(error));
  }
}

/** Lets everything run that waits for no timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

const failed: SseEvent = { event: 'error', data: { message: 'It broke.' }, id: '' };

function open(onFailure: (error: unknown) => SseEvent | null = () => failed) {
  const source = new Source();
  const begin = vi.spyOn(globalThis, 'setInterval');
  const clear = vi.spyOn(globalThis, 'clearInterval');
  const stream: Readable = new SseStream(source, asIs, { pingMs: 1000, onFailure });
  // Of this stream alone: what else runs in this process has timers too.
  const pings: unknown = begin.mock.results.at(-1)?.value;
  return { source, stream, isPinging: () => !clear.mock.calls.some(([timer]) => timer === pings) };
}

it('formatFrame has no id line for an event without a position, so that its reader keeps its position', () => {
  expect(formatFrame(failed)).toBe('event: error\ndata: {"message":"It broke."}\n\n');
});

describe('SseStream', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('pings after each second of silence, counted from the last event', async () => {
    const { source, stream, isPinging } = open();
    const text = readAll(stream);
    await settled();
    vi.advanceTimersByTime(999);
    source.give(token('a', '1-1'));
    await settled();
    vi.advanceTimersByTime(2999);
    source.end();
    const ping = ': ping\n\n';
    expect(await text).toBe(`retry: 2000\n\n${ping}${formatFrame(token('a', '1-1'))}${ping}${ping}`);
    expect(isPinging()).toBe(false);
  });

  it('ends with the event that it is given for a failed source, or without one', async () => {
    const [told, untold] = [open(), open(() => null)];
    const texts = [readAll(told.stream), readAll(untold.stream)];
    await settled();
    told.source.fail(new Error('away'));
    untold.source.fail(new Error('away'));
    expect(await Promise.all(texts)).toEqual([
      `retry: 2000\n\n: ping\n\n${formatFrame(failed)}`,
      'retry: 2000\n\n: ping\n\n',
    ]);
  });

  it('sends each of two readers their own tokens: others at the same position, or the same at another', async () => {
    const [one, other] = [open(), open()];
    const texts = Promise.all([one, other].map(({ stream }) => readAll(stream)));
    const tokens = ([one, other, other, one] as const).map(({ source }, index) => {
      const event = token(index === 0 ? 'a' : 'b', index < 2 ? '1-1' : `1-${index}`);
      return { source, event };
    });
    for (const { source, event } of tokens) {
      await settled();
      source.give(event);
    }
    await settled();
    for (const { source } of [one, other]) source.end();
    const sent = [one, other].map(({ source }) => tokens.filter((given) => given.source === source));
    const frames = sent.map((given) => given.map(({ event }) => formatFrame(event)).join(''));
    expect(await texts).toEqual(frames.map((text) => `retry: 2000\n\n: ping\n\n${text}`));
  });

  it('asks for no more than its buffer takes while nobody reads', async () => {
    const { source, stream } = open();
    stream.read(0);
    const piece = token('x'.repeat(10_000), '1-1');
    for (let asked = 1; asked <= 7; asked += 1) {
      await settled();
      expect(source.asked).toBe(asked);
      source.give(piece);
    }
    await settled();
    expect(source.asked).toBe(7);
    expect(stream.readableLength).toBeLessThan(80_000);
    stream.destroy();
  });

  it('yields to other work between two events of a source that has all of them ready', async () => {
    async function* atHand(): AsyncGenerator<SseEvent> {
      for (let count = 0; count < 500; count += 1) yield token('x', `1-${count}`);
    }
    let turns = 0;
    const count = () => {
      turns += 1;
      running = setImmediate(count);
    };
    let running = setImmediate(count);
    const text = await readAll(new SseStream(atHand(), asIs, { pingMs: 1000, onFailure: () => failed }));
    clearImmediate(running);
    expect(text.match(/event: token/g)).toHaveLength(500);
    expect(turns).toBeGreaterThanOrEqual(500);
  });

  it('ends a source that waits, at once and once, when it is destroyed', async () => {
    const { source, stream, isPinging } = open();
    stream.resume();
    await settled();
    expect(source.asked).toBe(1);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    expect([source.returned, isPinging()]).toEqual([1, false]);
    source.give(token('too late', '1-8'));
    await settled();
    expect(source.asked).toBe(1);
  });
});
