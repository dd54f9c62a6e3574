import { setTimeout as sleep } from 'node:timers/promises';

/** What the work gives, or undefined where it takes longer than the limit; the work itself goes on. Leaves no timer behind. */
export async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, pause(limitMs, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Sleeps, but not longer than until the signal; a pause that was cut short is not an error. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<undefined> {
  try {
    await sleep(delayMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
