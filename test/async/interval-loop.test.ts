import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntervalLoop } from '../../src/async/interval-loop.js';

/** A task that takes until the test ends it. */
class Task {
  begun = 0;
  #end: () => void = () => undefined;

  readonly run = (): Promise<void> => {
    this.begun += 1;
    return new Promise((resolve) => {
      this.#end = resolve;
    });
  };

  async end(): Promise<void> {
    this.#end();
    await vi.advanceTimersByTimeAsync(0);
  }
}

let task: Task;
let ticker: IntervalLoop;
beforeEach(() => {
  vi.useFakeTimers();
  task = new Task();
  ticker = new IntervalLoop(1000, task.run);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('IntervalLoop', () => {
  it('runs its task at the start, and an interval after each end', async () => {
    ticker.start();
    expect(task.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(task.begun, 'never twice at the same time').toBe(1);
    await task.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(task.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.begun).toBe(2);
  });

  it('runs it at once when asked, once more after the present run, however often it was asked meanwhile', async () => {
    ticker.start();
    ticker.now();
    ticker.now();
    expect(task.begun).toBe(1);
    await task.end();
    expect(task.begun).toBe(2);
    await task.end();
    expect(task.begun).toBe(2);
    ticker.now();
    expect(task.begun).toBe(3);
  });

  it('is not put off by being asked', async () => {
    ticker.start();
    await task.end();
    for (const begun of [2, 3]) {
      await vi.advanceTimersByTimeAsync(400);
      ticker.now();
      expect(task.begun).toBe(begun);
      await task.end();
    }
    await vi.advanceTimersByTimeAsync(199);
    expect(task.begun).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.begun, 'an interval after the end of its first run').toBe(4);
  });

  it('does nothing before its start and after its stop, which waits for the present run', async () => {
    ticker.now();
    expect(task.begun).toBe(0);
    ticker.start();
    let stopped = false;
    const stop = ticker.stop().then(() => {
      stopped = true;
    });
    ticker.now();
    await vi.advanceTimersByTimeAsync(5000);
    expect(stopped).toBe(false);
    await task.end();
    await stop;
    ticker.now();
    await vi.advanceTimersByTimeAsync(5000);
    expect([task.begun, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
