/** The header `Idempotency-Key`: 1 to 255 printable characters, bare or quoted (draft-ietf-httpapi-idempotency-key-header). */
import { textLimits } from '../contract.js';
import { invalidRequest, ProblemError } from '../http/problems/problems.js';

const { min, max } = textLimits.key;

/**
 * Reads the key from the values of the header; undefined if there are none. Throws a `ProblemError` (400) for an
 * invalid key, an empty one included, because its sender expects protection and would not get it.
 */
export function readIdempotencyKey(values: readonly string[] = []): string | undefined {
  const [header, ...more] = values;
  if (header === undefined) return undefined;
  if (more.length > 0) throw refused('must be given once');
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? header;
  if (key.length <= max && /^[\x20-\x7e]+$/.test(key) && key.trim() !== '') return key;
  throw refused(`must be ${min} to ${max} printable characters`);
}

function refused(message: string): ProblemError {
  return new ProblemError(invalidRequest([{ parameter: 'Idempotency-Key', message }]));
}

/** Tells the caller that this request changed nothing. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { 'Idempotency-Replayed': 'true' } : {};
}
