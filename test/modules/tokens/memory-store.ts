import type { FeedEntry } from '../../../src/modules/tokens/feed/feed-entry.js';
import type { FeedStore, Outcome, Progress } from '../../../src/modules/tokens/feed/feed-store.js';
import type { Batch } from '../../../src/modules/tokens/feed/outgoing-attempt.js';

export type Fault = 'refuses' | 'does not answer' | 'is emptied';

/** A store in memory, of either kind: one that takes no entry twice, as PostgreSQL, or one that may be emptied, as Redis. */
export class MemoryStore implements FeedStore {
  readonly takesRepeats: boolean;
  /** What happens to the next batches. */
  readonly faults: Fault[] = [];
  announce: (entries: readonly FeedEntry[]) => void = () => undefined;
  #entries: FeedEntry[] = [];

  constructor(takesRepeats: boolean) {
    this.takesRepeats = takesRepeats;
  }

  async send(batches: readonly Batch[]): Promise<Outcome[]> {
    const fault = this.faults.shift();
    if (fault === 'refuses') throw new Error(fault);
    if (fault === 'is emptied' && !this.takesRepeats) this.#entries = [];
    const outcomes = batches.map((batch) => this.#add(batch));
    this.announce(batches.flatMap(({ entries }) => entries));
    if (fault === 'does not answer') throw new Error(fault);
    return outcomes;
  }

  async read(_responseId: string, { epoch, next }: Progress): Promise<FeedEntry[]> {
    return this.#entries.filter((entry) => entry.epoch > epoch || (entry.epoch === epoch && entry.seq >= next));
  }

  #add({ entries, stored }: Batch): Outcome {
    for (const entry of entries) {
      if (entry.isFirst) this.#entries = [];
      const isKnown = this.#entries.some(({ epoch, seq }) => epoch === entry.epoch && seq === entry.seq);
      if (!isKnown && (this.takesRepeats || entry.isFirst || this.#entries.length > 0)) this.#entries.push(entry);
    }
    return this.takesRepeats || this.#entries.length === stored ? 'stored' : 'lost';
  }
}
