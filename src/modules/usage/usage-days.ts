/** The days of a report on usage, in UTC. */
import { maximumUsageDays } from './read-usage.js';

const dayMs = 86_400_000;

/** The day as `2026-11-23`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Whether the text is a day of the calendar, as `2026-11-23`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/** The last thirty days up to one. */
export function monthUntil(to: string): string {
  return dayOf(new Date(Date.parse(to) - 29 * dayMs));
}

/** What is wrong with the span; undefined if it can be read. */
export function problemOfSpan(from: string, to: string): string | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) return 'must not be after the last day';
  return days > maximumUsageDays ? `must be at most ${maximumUsageDays - 1} days before the last day` : undefined;
}
