/**
 * The delay that a provider requests, in milliseconds: from `retry-after-ms`, or `Retry-After` in seconds or as a date.
 */
export function retryAfterMs(headers: Record<string, string> | undefined, nowMs: number): number | undefined {
  const exactMs = numberIn(headers?.['retry-after-ms']);
  if (exactMs !== undefined) return exactMs;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = numberIn(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
