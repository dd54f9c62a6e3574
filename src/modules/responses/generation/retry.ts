/**
 * Delays between retries: exponential with full jitter, so that many responses that failed together do not retry
 * together.
 */
import type { Logger } from 'pino';
import { pause } from '../../../async/time-limit.js';
import { sqlStateOf } from '../../sql-state.js';
import { GenerationError } from './processor.js';

export interface RetrySettings {
  /** Maximum number of retries of the model before any text arrived. */
  maxUnseenTries: number;
  baseMs: number;
  maxMs: number;
}

/** About 45 seconds in total, so that a restart of the provider does not end conversations. */
export const defaultRetrySettings: RetrySettings = { maxUnseenTries: 8, baseMs: 500, maxMs: 30_000 };

/** Another call of the model after one that failed. */
export interface Retry {
  fault: GenerationError;
  /** Whether viewers have seen text of the call that failed, so that this is another attempt. */
  wasSeen: boolean;
  /** The number of the call, of at most so many; of the attempt if viewers have seen text. */
  nextTry: number;
  maxTries: number;
  delayMs: number;
}

/** Null if the error is final. */
export function planRetry(
  settings: RetrySettings,
  failed: { fault: unknown; tries: number; wasSeen: boolean; attempt: number; maxAttempts: number },
): Retry | null {
  const { fault, tries, wasSeen, attempt, maxAttempts } = failed;
  if (!(fault instanceof GenerationError) || !fault.retryable) return null;
  const nextTry = wasSeen ? attempt + 1 : tries + 2;
  const maxTries = wasSeen ? maxAttempts : settings.maxUnseenTries + 1;
  if (nextTry > maxTries) return null;
  const { retryAfterMs } = fault;
  return { fault, wasSeen, nextTry, maxTries, delayMs: Math.round(retryDelayMs(settings, { tries, retryAfterMs })) };
}

/** The delay in milliseconds: what the provider requested, within bounds, or else the back-off. */
export function retryDelayMs(
  settings: RetrySettings,
  failed: { tries: number; retryAfterMs: number | undefined },
): number {
  if (failed.retryAfterMs !== undefined) return Math.min(failed.retryAfterMs, settings.maxMs);
  return Math.random() * Math.min(settings.maxMs, settings.baseMs * 2 ** failed.tries);
}

/**
 * Repeats a statement until the database responds, however long that takes. Only for reads and for statements with the
 * epoch in their condition, which may run twice. Throws errors about the statement itself, and any error once the
 * signal is aborted.
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

/** SQLSTATE classes for data, constraints, syntax and program limits, where a retry cannot help. */
const refusals = /^(22|23|42|54)/;

function isRefusal(error: unknown): boolean {
  return refusals.test(sqlStateOf(error) ?? '');
}
