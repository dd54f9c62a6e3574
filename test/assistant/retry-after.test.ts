import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../src/assistant/retry-after.js';

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '2', 'retry-after-ms': '1750' }, 1750],
  ])('%j is %s ms', (headers, expected) => {
    expect(retryAfterMs(headers as Record<string, string> | undefined, nowMs)).toBe(expected);
  });
});
