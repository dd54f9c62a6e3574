import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DelayedTask } from '../../src/platform/async/delayed-task.js';
import { fakeTimers, realTimers } from '../support/fake-timers.js';

let begun: number;
let end: (nextMs: number | null) => void;
let task: DelayedTask;
beforeEach(() => {
  fakeTimers();
  begun = 0;
  task = new DelayedTask(() => {
    begun += 1;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
});
afterEach(() => {
  realTimers();
});

describe('DelayedTask', () => {
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
