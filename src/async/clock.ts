import { performance } from 'node:perf_hooks';

/** Time as the token log and its readers see it; tests pass one of their own. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back, whatever happens to the wall clock. */
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
