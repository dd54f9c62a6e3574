import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntervalLoop } from '../../src/platform/async/interval-loop.js';
import { fakeTimers, realTimers } from '../support/fake-timers.js';

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
let loop: IntervalLoop;
beforeEach(() => {
  fakeTimers();
  task = new Task();
  loop = new IntervalLoop(1000, task.run);
});
afterEach(() => {
  realTimers();
});

describe('IntervalLoop', () => {
  it('runs its task at the start, and again one interval after each run has ended', async () => {
    loop.start();
    expect(task.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(task.begun, 'never twice at the same time').toBe(1);
    await task.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(task.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.begun).toBe(2);
  });

  it('runs it at once when asked; any number of requests during a run cause one more', async () => {
    loop.start();
    loop.now();
    loop.now();
    expect(task.begun).toBe(1);
    await task.end();
    expect(task.begun).toBe(2);
    await task.end();
    expect(task.begun).toBe(2);
    loop.now();
    expect(task.begun).toBe(3);
  });

  it('keeps its schedule when it is asked for an extra run', async () => {
    loop.start();
    await task.end();
    for (const begun of [2, 3]) {
      await vi.advanceTimersByTimeAsync(400);
      loop.now();
      expect(task.begun).toBe(begun);
      await task.end();
    }
    await vi.advanceTimersByTimeAsync(199);
    expect(task.begun).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.begun, 'an interval after the end of its first run').toBe(4);
  });

  it('does nothing before its start or after its stop, which waits for the current run', async () => {
    loop.now();
    expect(task.begun).toBe(0);
    loop.start();
    let stopped = false;
    const stop = loop.stop().then(() => {
      stopped = true;
    });
    loop.now();
    await vi.advanceTimersByTimeAsync(5000);
    expect(stopped).toBe(false);
    await task.end();
    await stop;
    loop.now();
    await vi.advanceTimersByTimeAsync(5000);
    expect([task.begun, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
