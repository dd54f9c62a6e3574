/** Waiting between tries: exponential with full jitter, so that many responses that failed together do not return together. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface RetrySettings {
  /** Tries after the first, of a request to the model that failed before any text came. */
  maxUnseenTries: number;
  baseMs: number;
  maxMs: number;
}

export const defaultRetrySettings: RetrySettings = { maxUnseenTries: 4, baseMs: 500, maxMs: 30_000 };

/** What the provider asked for, within the bounds, or else the back-off for that many tries. In milliseconds. */
export function retryDelayMs(
  settings: RetrySettings,
  failed: { tries: number; retryAfterMs: number | undefined },
): number {
  if (failed.retryAfterMs !== undefined) return Math.min(failed.retryAfterMs, settings.maxMs);
  return Math.random() * Math.min(settings.maxMs, settings.baseMs * 2 ** failed.tries);
}

/** Waits; returns early, without an error, when the signal aborts. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/**
 * Repeats a statement until the database answers. Only for statements with the epoch in their condition: they may run twice.
 * Ends with the last error once the signal aborts, which it does when the lease is lost.
 */
export async function persist<T>(
  options: { signal: AbortSignal; logger: Logger },
  statement: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (options.signal.aborted) throw error;
      options.logger.error({ err: error, tries }, 'the database did not take an outcome; trying again');
      await pause(Math.min(2000, 50 * 2 ** tries), options.signal);
    }
  }
}
