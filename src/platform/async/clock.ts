import { performance } from 'node:perf_hooks';

/** The time source of the token log and its readers. Tests inject their own. */
export interface Clock {
  /** Monotonic time in milliseconds since an arbitrary moment. */
  now(): number;
  /** Calls `run` once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
}

/** The clock of the process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
