/** A date and time in the locale and time zone of the browser. */
const thisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

export function Timestamp({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={full.format(date)}>
      {shortTimestamp(date)}
    </time>
  );
}

/** The time if the date is today, else the day. */
export function shortTimestamp(date: Date, now = new Date()): string {
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(date);
}
