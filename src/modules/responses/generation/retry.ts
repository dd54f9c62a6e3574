/**
 * Whether and when the model is called once more. The delays grow, and are spread at random, so that many responses that failed
 * together do not retry together.
 */
import type { Logger } from 'pino';
import { RepeatedFailure } from '../../../platform/async/repeated-failure.js';
import { pause } from '../../../platform/async/time-limit.js';
import { isOutage } from '../../database-errors.js';
import { sqlStateOf } from '../../sql-state.js';
import type { CallBudget } from './call-budget.js';
import { GenerationError } from './processor.js';

export interface RetrySettings {
  /** Maximum number of calls of the model for one response. */
  maxCalls: number;
  /** Maximum number of retries while no server can be reached, which costs nothing. */
  maxUnseenTries: number;
  baseMs: number;
  maxMs: number;
}

/** From 21 to 36 seconds in total, so that a restart of the provider does not end conversations. */
export const defaultRetrySettings: RetrySettings = { maxCalls: 4, maxUnseenTries: 8, baseMs: 500, maxMs: 30_000 };

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

interface FailedCall {
  fault: unknown;
  /** Calls before this one, received or not. */
  tries: number;
  wasSeen: boolean;
  attempt: number;
  maxAttempts: number;
  /** Until the deadline of the response. */
  leftMs: number;
  calls: Pick<CallBudget, 'spent' | 'left'>;
  /** How many models each try may call, one after the other. */
  models?: number;
}

/** What a model says once more when it has said it twice. */
export const doubtful: ReadonlySet<string> = new Set(['model_empty_response', 'model_invalid_output']);
const maxDoubtful = 2;

/** Null if the error is final, or if the deadline passes before the next call. */
export function planRetry(settings: RetrySettings, failed: FailedCall): Retry | null {
  const { fault, tries, wasSeen, attempt, maxAttempts, leftMs, calls } = failed;
  if (!(fault instanceof GenerationError) || !fault.retryable || calls.left === 0) return null;
  if (doubtful.has(fault.code) && calls.spent >= maxDoubtful) return null;
  const nextTry = wasSeen ? attempt + 1 : tries + 2;
  const maxTries = wasSeen ? Math.min(maxAttempts, attempt + calls.left) : maxUnseen(settings, failed, fault);
  if (nextTry > maxTries) return null;
  const { retryAfterMs, wasReceived } = fault;
  const delayMs = Math.round(retryDelayMs(settings, { tries, retryAfterMs, wasReceived }));
  return delayMs < leftMs ? { fault, wasSeen, nextTry, maxTries, delayMs } : null;
}

function maxUnseen(
  { maxUnseenTries }: RetrySettings,
  { tries, calls, models = 1 }: FailedCall,
  fault: GenerationError,
): number {
  if (!fault.wasReceived) return maxUnseenTries + 1;
  const left = doubtful.has(fault.code) ? Math.min(calls.left, maxDoubtful - calls.spent) : calls.left;
  return tries + 1 + Math.ceil(left / models);
}

/**
 * The delay in milliseconds: what the provider requested, within bounds, or else the back-off, which is longer where few
 * calls are left.
 */
export function retryDelayMs(
  { baseMs, maxMs }: RetrySettings,
  failed: { tries: number; retryAfterMs: number | undefined; wasReceived?: boolean },
): number {
  const { tries, retryAfterMs, wasReceived = true } = failed;
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, maxMs);
  if (!wasReceived) return Math.random() * Math.min(maxMs, baseMs * 2 ** tries);
  return (0.5 + Math.random() / 2) * Math.min(maxMs, baseMs * 4 ** (tries + 1));
}

/**
 * Repeats a statement until the database responds, however long that takes. Only for reads and for statements with the
 * epoch in their condition, which may run twice. Throws whatever the database is not the reason of, errors about the statement
 * itself, and any error once the signal is aborted.
 */
export async function persist<T>(
  options: { signal: AbortSignal; logger: Logger },
  statement: () => Promise<T>,
): Promise<T> {
  const failure = new RepeatedFailure();
  for (let tries = 0; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      const mayPass = isOutage(error) || internal.test(sqlStateOf(error) ?? '');
      if (options.signal.aborted || !mayPass) throw error;
      failure.report(error, (fields) => options.logger.error(fields, 'the database did not answer; retrying'));
      await pause(Math.min(2000, 50 * 2 ** tries), options.signal);
    }
  }
}

/** The SQLSTATE class of internal errors of PostgreSQL. */
const internal = /^XX/;
