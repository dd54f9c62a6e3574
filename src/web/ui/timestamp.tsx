/** A date and time in the language and time zone of the reader. */
import { formatIn } from '../language/formats.js';
import { useToday } from './state/today.js';

const thisYear = formatIn((languages) => new Intl.DateTimeFormat(languages, { day: 'numeric', month: 'short' }));
const otherYear = formatIn(
  (languages) => new Intl.DateTimeFormat(languages, { day: 'numeric', month: 'short', year: 'numeric' }),
);
const clock = formatIn((languages) => new Intl.DateTimeFormat(languages, { timeStyle: 'short' }));
const full = formatIn((languages) => new Intl.DateTimeFormat(languages, { dateStyle: 'full', timeStyle: 'short' }));

export function Timestamp({ at }: { at: string }) {
  const date = new Date(at);
  // The short form of a time is another one after midnight.
  useToday();
  return (
    <time dateTime={at} title={full().format(date)}>
      {shortTimestamp(date)}
    </time>
  );
}

/** The time if the date is today, else the day. */
export function shortTimestamp(date: Date, now = new Date()): string {
  if (date.toDateString() === now.toDateString()) return clock().format(date);
  return (date.getFullYear() === now.getFullYear() ? thisYear() : otherYear()).format(date);
}
