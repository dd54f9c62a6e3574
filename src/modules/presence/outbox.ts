/** What other nodes must be told, gathered for a moment: each person in a thread once, as they are when it is told. */
import type { Clock } from '../../platform/async/clock.js';
import { encodeReports, type Report } from './report.js';
import type { Place } from './roster.js';

export interface OutboxOptions {
  node: string;
  clock: Clock;
  /** Tells all other nodes. */
  tell: (text: string) => void;
  /** What is known of a person when it is told. */
  report: (place: Place) => Pick<Report, 'readingMs' | 'writingMs'>;
}

/** In which changes accumulate. */
const tellMs = 100;

export class Outbox {
  readonly #options: OutboxOptions;
  #news = new Map<string, Place & { hasSent: boolean }>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Something has changed of the person; `hasSent`: they have sent their message. */
  add({ threadId, userId }: Place, hasSent = false): void {
    const key = `${threadId} ${userId}`;
    this.#news.set(key, { threadId, userId, hasSent: hasSent || this.#news.get(key)?.hasSent === true });
    this.#cancelTimer ??= this.#options.clock.after(tellMs, () => this.flush());
  }

  /** Tells everything now. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { node, tell, report } = this.#options;
    const reports = [...this.#news.values()].map((news) => ({ ...news, ...report(news) }));
    this.#news.clear();
    for (const text of encodeReports(node, reports)) tell(text);
  }
}
