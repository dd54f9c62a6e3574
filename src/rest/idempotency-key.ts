/** The header `Idempotency-Key`: 1 to 255 printable characters, bare or quoted (draft-ietf-httpapi-idempotency-key-header). */
import { invalidRequest, ProblemError } from './problems.js';

/** The key, or undefined where none was sent. Throws a `ProblemError` (400) for one of another form. */
export function readIdempotencyKey(header: string): string | undefined {
  if (header === '') return undefined;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key;
  throw new ProblemError(
    invalidRequest([{ parameter: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]),
  );
}

/** Tells the caller that nothing was done this time. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { 'Idempotency-Replayed': 'true' } : {};
}
