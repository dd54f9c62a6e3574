/** The header `Idempotency-Key`: 1 to 255 printable characters, bare or quoted (draft-ietf-httpapi-idempotency-key-header). */
import { invalidRequest, ProblemError } from '../http/problems/problems.js';

/**
 * The key among the values of the header; undefined where it was not sent. Throws a `ProblemError` (400) for one of another
 * form, also for an empty one: its sender expects to be protected, and would not be.
 */
export function readIdempotencyKey(values: readonly string[] = []): string | undefined {
  const [header, ...more] = values;
  if (header === undefined) return undefined;
  if (more.length > 0) throw refused('must be given once');
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key;
  throw refused('must be 1 to 255 printable characters');
}

function refused(message: string): ProblemError {
  return new ProblemError(invalidRequest([{ parameter: 'Idempotency-Key', message }]));
}

/** Tells the caller that nothing was done this time. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { 'Idempotency-Replayed': 'true' } : {};
}
