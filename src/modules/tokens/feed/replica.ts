import type { TokenLog } from '../log/token-log.js';
import type { FeedEntry } from './feed-entry.js';
import type { Progress } from './feed-store.js';

/** Each announced entry has at most 5,000 bytes of text. */
const maxHeld = 100;

/**
 * The copy of a response in this process's token log, for as long as somebody here follows it: always a prefix of the text.
 * The log decides what is copied: it refuses an attempt that this process generates itself or already had.
 */
export class Replica {
  readonly responseId: string;
  readonly #log: TokenLog;
  /** The store is being read. */
  loading: Promise<void> | undefined;
  /** Whether the store may have newer entries and must be read again. */
  isStale = false;
  #progress: Progress = { epoch: 0, next: 1 };
  /** Whether the log already has the attempt: then nothing may be added to it. */
  #isLocal = false;
  /** UTF-16 units that the log has, and that passed since the first entry. They differ while the text is sent again. */
  #units = { copied: 0, passed: 0 };
  #held: FeedEntry[] = [];

  constructor(responseId: string, log: TokenLog) {
    this.responseId = responseId;
    this.#log = log;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Keeps an entry that is announced during a read: the newest, because the store drops the text when the end is announced. */
  hold(entry: FeedEntry): void {
    if (this.#held.push(entry) > maxHeld) this.#held.shift();
  }

  /** Returns and forgets the kept entries. */
  release(): FeedEntry[] {
    return this.#held.splice(0);
  }

  /** Takes an entry. False if the store must be read first, because an earlier one or its text is missing. */
  take(entry: FeedEntry): boolean {
    const { epoch, seq, text, isFirst } = entry;
    const known = this.#progress;
    if (epoch < known.epoch || (epoch === known.epoch && seq < known.next)) return true;
    if (text === undefined) return false;
    if (isFirst) this.#begin(epoch);
    else if (epoch !== known.epoch || (seq !== known.next && !this.#isLocal)) return false;
    this.#progress = { epoch, next: seq + 1 };
    if (!this.#isLocal) this.#write(entry, text);
    return true;
  }

  /** Drops the copy, because nobody here follows the response any more. */
  forget(): void {
    if (!this.#isLocal) this.#log.forget(this.responseId, this.#progress.epoch);
  }

  #begin(epoch: number): void {
    if (epoch > this.#progress.epoch) {
      this.#isLocal = !this.#log.open(this.responseId, epoch);
      this.#units.copied = 0;
    }
    this.#units.passed = 0;
  }

  #write({ epoch, kind }: FeedEntry, text: string): void {
    const { copied, passed } = this.#units;
    this.#units.passed += text.length;
    if (kind === 'end') this.#log.end(this.responseId, epoch);
    else if (this.#units.passed > copied) {
      this.#log.append(this.responseId, epoch, { kind, text: text.slice(Math.max(0, copied - passed)) });
      this.#units.copied = this.#units.passed;
    }
  }
}
