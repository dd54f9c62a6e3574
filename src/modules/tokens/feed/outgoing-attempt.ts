import type { AttemptText, Offsets } from '../log/attempt-text.js';
import type { FeedEntry } from './feed-entry.js';

/** What one attempt sends at once. */
export interface Batch {
  attempt: OutgoingAttempt;
  entries: readonly FeedEntry[];
  /** Whether nothing follows. */
  isLast: boolean;
  /** How many entries of the attempt the store then has. */
  stored: number;
  /** The end of the entries in the log. */
  upTo: Offsets;
}

const start: Offsets = { text: 0, thinking: 0 };
const reading = { thinking: true, maxBytes: 64 * 1024 };

/** One attempt that is sent to other processes. It keeps no text, only the offsets in the token log up to which it was sent. */
export class OutgoingAttempt {
  /** Whether there is new text, or the end, since the last batch. */
  hasNews = true;
  isEnded = false;
  #sent = start;
  #nextSeq = 0;
  #stored = 0;
  /** Whether the store may lack text before `#sent`: then the next batch has the whole text. */
  #isInDoubt = true;
  /** A batch that may have arrived, and is sent again unchanged. */
  #unanswered: Batch | undefined;

  constructor(
    readonly responseId: string,
    readonly epoch: number,
    /** Whether nothing is sent yet, because nobody else listens. */
    public isDeferred: boolean,
  ) {}

  /** The next batch: the part of `transcript`, the attempt's text in the log, that the store lacks. */
  pack(transcript: AttemptText): Batch {
    if (this.#unanswered) return this.#unanswered;
    const { responseId, epoch, isEnded: isLast } = this;
    const entries: FeedEntry[] = [];
    const add = (kind: FeedEntry['kind'], text: string) => {
      const isFirst = this.#isInDoubt && entries.length === 0;
      entries.push({ responseId, epoch, seq: this.#nextSeq, kind, text, isFirst });
      this.#nextSeq += 1;
    };
    let upTo = this.#isInDoubt ? start : this.#sent;
    for (let chunk = transcript.next(upTo, reading); chunk; chunk = transcript.next(upTo, reading)) {
      add(chunk.kind, chunk.text);
      upTo = chunk.upTo;
    }
    // An incomplete log must not mark its text as complete.
    if (isLast && transcript.isWhole(upTo.text)) add('end', '');
    this.hasNews = false;
    return { attempt: this, entries, isLast, stored: (this.#isInDoubt ? 0 : this.#stored) + entries.length, upTo };
  }

  /** Called when the store has the batch. */
  arrived({ upTo, stored }: Batch): void {
    this.#sent = upTo;
    this.#stored = stored;
    this.#isInDoubt = false;
    this.#unanswered = undefined;
  }

  /**
   * Called when it is unknown what the store has, or whether it has `repeated`, a batch that it would not take twice. A seq is
   * left out of a new beginning, so that nobody takes it for what follows.
   */
  doubt(repeated?: Batch): void {
    this.hasNews = true;
    this.#unanswered = repeated;
    if (repeated) return;
    this.#isInDoubt = true;
    this.#nextSeq += 1;
  }
}
