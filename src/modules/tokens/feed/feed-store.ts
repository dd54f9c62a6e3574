import type { FeedEntry } from './feed-entry.js';
import type { Batch } from './outgoing-attempt.js';

/** `lost`: the store has something else than it was sent. `fenced`: it has a newer attempt. */
export type Outcome = 'stored' | 'lost' | 'fenced' | Error;

/** How far a reader is: the attempt, and the next of its entries. */
export interface Progress {
  epoch: number;
  next: number;
}

/** Maximum of one read: entries, and bytes of text before the last of them. A store may also exceed the second. */
export const page = { entries: 1000, bytes: 256 * 1024 };

/** Keeps the entries of running responses for other processes, and announces them. */
export interface FeedStore {
  /** Whether a failed batch is sent again as it was. Otherwise the whole text is, because the store may have lost it. */
  readonly takesRepeats: boolean;
  /** Whether it is being connected to, which is not a failure. Once it is, everybody reads and sends again. */
  readonly isConnecting?: boolean;
  /** Resolves to what became of each batch. */
  send(batches: readonly Batch[]): Promise<Outcome[]>;
  /** The entries of the newest attempt from `progress` on, of which later ones are announced. */
  read(responseId: string, progress: Progress): Promise<FeedEntry[]>;
  /** Called when nobody here follows the response any more. */
  leave?(responseId: string): void;
}
