/** The days of the spans that have a name, in UTC, over the ends of months and years. */
import { describe, expect, it } from 'vitest';
import { spanOf } from '../../../src/web/settings/usage/spans.js';

describe('the days of a span', () => {
  it.each([
    ['thisMonth', '2026-11-23T07:19:15Z', '2026-11-01', '2026-11-23'],
    ['thisMonth', '2026-12-01T00:00:00Z', '2026-12-01', '2026-12-01'],
    ['lastMonth', '2026-11-23T07:19:15Z', '2026-10-01', '2026-10-31'],
    ['lastMonth', '2027-01-31T23:59:59Z', '2026-12-01', '2026-12-31'],
    ['lastMonth', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
    ['week', '2027-01-03T12:00:00Z', '2026-12-28', '2027-01-03'],
    // Wherever the browser is.
    ['thisMonth', '2026-11-30T23:30:00-02:00', '2026-12-01', '2026-12-01'],
  ] as const)('%s at %s is from %s to %s', (name, now, from, to) => {
    expect(spanOf(name, new Date(now))).toEqual({ from, to });
  });
});
