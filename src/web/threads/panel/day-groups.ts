/** The threads of the list by the days on which something happened in them, in the time zone of the reader. */
import type { Thread } from '../../api/types.js';
import { languages } from '../../ui/languages.js';

export interface DayGroup {
  label: string;
  threads: Thread[];
}

const month = new Intl.DateTimeFormat(languages, { month: 'long', year: 'numeric' });

/** Threads that follow each other and are of the same days. `threads` are in the order of the list. */
export function dayGroups(threads: readonly Thread[], now = new Date()): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const thread of threads) {
    const label = labelOf(new Date(thread.activeAt), now);
    const last = groups.at(-1);
    if (last?.label === label) last.threads.push(thread);
    else groups.push({ label, threads: [thread] });
  }
  return groups;
}

function labelOf(date: Date, now: Date): string {
  // A clock that is behind that of the service has threads of tomorrow.
  if (date >= startOfDay(now, 0)) return 'Today';
  if (date >= startOfDay(now, 1)) return 'Yesterday';
  return date >= startOfDay(now, 7) ? 'Previous 7 days' : month.format(date);
}

/** The beginning of the day so many days ago. Days are not always 24 hours long. */
function startOfDay(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}
