/** The threads of the list by the days on which something happened in them, in the time zone of the reader. */
import type { Thread } from '../../api/types.js';
import { formatIn } from '../../language/formats.js';
import { defineTexts } from '../../language/texts.js';

const texts = defineTexts('threads/panel/day-groups', {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Previous 7 days',
});

export interface DayGroup {
  label: string;
  threads: Thread[];
}

const month = formatIn((languages) => new Intl.DateTimeFormat(languages, { month: 'long', year: 'numeric' }));

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
  if (date >= startOfDay(now, 0)) return texts.get().today;
  if (date >= startOfDay(now, 1)) return texts.get().yesterday;
  return date >= startOfDay(now, 7) ? texts.get().week : month().format(date);
}

/** The beginning of the day so many days ago. Days are not always 24 hours long. */
function startOfDay(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}
