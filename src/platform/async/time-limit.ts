import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to the result of the work, or to undefined after the limit; the work continues. Leaves no timer behind. */
export async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, pause(limitMs, done.signal)]);
  } finally {
    done.abort();
  }
}

/**
 * Returns a function that asks, once for all who wait at the same time. Each resolves to the answer, or to undefined after the
 * limit.
 */
export function sharedWithinMs<T>(limitMs: number, ask: () => Promise<T>): () => Promise<T | undefined> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return withinMs(limitMs, asking);
  };
}

/** Sleeps until the delay is over or the signal is aborted, which is not an error. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<undefined> {
  try {
    await sleep(delayMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
