/** Waiting between tries: exponential with full jitter, so that many responses that failed together do not return together. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sqlStateOf } from '../../sql-state.js';

export interface RetrySettings {
  /** Calls of the model after the first, where the last one failed before any text came. */
  maxUnseenTries: number;
  baseMs: number;
  maxMs: number;
}

/** Some three quarters of a minute in all: a provider that is restarted must not end a conversation. */
export const defaultRetrySettings: RetrySettings = { maxUnseenTries: 8, baseMs: 500, maxMs: 30_000 };

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
 * Repeats a statement until the database answers, however long it is away. Only for reads, and for statements with the epoch
 * in their condition: they may run twice. Throws what the database refuses for what it says, and anything once the signal aborts.
 */
export async function persist<T>(
  options: { signal: AbortSignal; logger: Logger },
  statement: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (options.signal.aborted || isRefusal(error)) throw error;
      options.logger.error({ err: error, tries }, 'the database did not answer; retrying');
      await pause(Math.min(2000, 50 * 2 ** tries), options.signal);
    }
  }
}

/** SQLSTATE classes for data, constraints, syntax and program limits: such a statement is refused each time. */
const refusals = /^(22|23|42|54)/;

function isRefusal(error: unknown): boolean {
  return refusals.test(sqlStateOf(error) ?? '');
}
