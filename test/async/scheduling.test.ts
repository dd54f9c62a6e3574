/** Work that is done later, or again and again, on timers that a test moves. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DelayedTask } from '../../src/platform/async/delayed-task.js';
import { IntervalLoop } from '../../src/platform/async/interval-loop.js';
import { fakeTimers, realTimers } from '../support/fake-timers.js';

beforeEach(() => {
  fakeTimers();
  return realTimers;
});

describe('DelayedTask', () => {
  let begun: number;
  let end: (nextMs: number | null) => void;
  let task: DelayedTask;
  beforeEach(() => {
    begun = 0;
    task = new DelayedTask(() => {
      begun += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
  });

  it('runs once, after the delay, for all requests made meanwhile', async () => {
    task.request(10);
    task.request(5);
    await vi.advanceTimersByTimeAsync(9);
    expect(begun).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(1);
    end(null);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun).toBe(1);
  });

  it('never runs concurrently, and runs again when its result says so', async () => {
    task.request(10);
    await vi.advanceTimersByTimeAsync(10);
    task.request(10);
    task.reschedule(10);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun).toBe(1);
    end(50);
    await vi.advanceTimersByTimeAsync(49);
    expect(begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
  });

  it('runs again for a request made during a run, even after the run found nothing left to do', async () => {
    task.request(10);
    await vi.advanceTimersByTimeAsync(10);
    end(null);
    // Before the end of the run is noticed.
    task.request(20);
    await vi.advanceTimersByTimeAsync(19);
    expect(begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
  });

  it('shortens a delay on request', async () => {
    task.request(500);
    task.reschedule(10);
    await vi.advanceTimersByTimeAsync(10);
    expect(begun).toBe(1);
  });

  it('waits for the present run when it is closed, and does not run again', async () => {
    task.request(10);
    await vi.advanceTimersByTimeAsync(10);
    const closed = vi.fn();
    void task.close().then(closed);
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).not.toHaveBeenCalled();
    end(10);
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).toHaveBeenCalled();
    task.request(10);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

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

describe('IntervalLoop', () => {
  let task: Task;
  let loop: IntervalLoop;
  beforeEach(() => {
    task = new Task();
    loop = new IntervalLoop(1000, task.run);
  });

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

it('fake timers are counted without those of a connection that fetch keeps', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(server.listening).toBe(true));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  expect(vi.getTimerCount()).toBe(0);
});
