/**
 * Parses dates and times: every ISO 8601 date-time with a year of four digits, in basic or extended format, by
 * calendar, week or ordinal date, down to any fraction of an hour, minute or second. The default offset is UTC, the
 * default time midnight. REST and GraphQL share this parser, so they accept the same.
 */
import { DateTime } from 'luxon';

const date = /(?<date>\d{4}(?:-\d{2}-\d{2}|\d{4}|-?W\d{2}-?\d|-?\d{3}))/;
const time = /(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2}))?)?(?:[.,](?<fraction>\d+))?/;
const zone = /(?<zone>Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?/;
const dateTime = new RegExp(`^(?!0000)${date.source}(?:[T ]${time.source}${zone.source})?$`);

/** Longer texts are invalid; the longest useful one has about fifty characters. */
export const maxDateTimeLength = 100;

// PostgreSQL, GraphQL and ISO 8601 all support these years; an offset can lead out of them by a day.
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses a date-time, rounded down to a millisecond; null if it is invalid. A leap second becomes the last millisecond
 * before its end, because JavaScript has none.
 */
export function parseDateTime(text: string): Date | null {
  if (text.length > maxDateTimeLength) return null;
  const parts = dateTime.exec(text.toUpperCase().replace('\u2212', '-'))?.groups;
  if (!parts) return null;
  const { hour = '00', minute = '00', second = '00', fraction = '' } = parts;
  const isEndOfDay = hour === '24';
  if (isEndOfDay && Number(`${minute}${second}${fraction}`) > 0) return null;
  const isLeapSecond = second === '60';
  const clock = `${isEndOfDay ? '00' : hour}:${minute}:${isLeapSecond ? '59' : second}`;
  const moment = DateTime.fromISO(`${parts['date']}T${clock}${parts['zone'] ?? 'Z'}`, { zone: 'utc' });
  if (!moment.isValid) return null;
  const unitMs = parts['second'] ? 1000 : parts['minute'] ? 60_000 : 3_600_000;
  const restMs = isLeapSecond ? 999 : isEndOfDay ? 86_400_000 : millisecondsOf(fraction, unitMs);
  return new Date(Math.min(Math.max(moment.toMillis() + restMs, earliest), latest));
}

/**
 * Whole milliseconds in a decimal fraction of a unit, in integer arithmetic: in floating point, 1000 × 1.005 is less
 * than 1005.
 */
function millisecondsOf(fraction: string, unitMs: number): number {
  return Number((BigInt(fraction || 0) * BigInt(unitMs)) / 10n ** BigInt(fraction.length));
}
