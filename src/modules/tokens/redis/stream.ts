/**
 * One attempt that is written to Redis. It keeps no text, only the offset in the token log up to which it was sent. After
 * any doubt (no answer, an error, a stream that is gone or has another length) the next entry has the whole text so far and
 * replaces all before it, so Redis always has a prefix without a gap, or nothing.
 */
import type { AttemptText, Offsets } from '../log/attempt-text.js';
import type { RedisEntry, RedisPiece } from './entry.js';

/** An entry that is being sent, and the offset in the log at its end. */
export interface Batch {
  stream: RedisStream;
  id: string;
  entry: RedisEntry;
  upTo: Offsets;
}

const maxPieceBytes = 64 * 1024;

export class RedisStream {
  readonly responseId: string;
  readonly epoch: number;
  /** Whether there is new text, or the end, since the last batch. */
  hasNews = true;
  /** When it ended here, in milliseconds of `performance.now()`. */
  endedAtMs: number | undefined;
  #sent: Offsets = { text: 0, thinking: 0 };
  /** Incremented for each entry, even one that fails, so that a refused name can only mean a newer attempt. */
  #nextNumber = 0;
  /** Number of entries in Redis once the pending one has arrived. */
  #length = 0;
  #isInDoubt = true;

  constructor(responseId: string, epoch: number) {
    this.responseId = responseId;
    this.epoch = epoch;
  }

  /** The next entry: the part of `transcript`, the attempt's text in the log, that Redis lacks. */
  pack(transcript: AttemptText | undefined): Batch {
    const isWhole = this.#isInDoubt;
    const { pieces, upTo } = piecesOf(transcript, isWhole ? { text: 0, thinking: 0 } : this.#sent);
    // An incomplete log must not mark its text as complete.
    const endsAt = this.endedAtMs !== undefined && transcript?.isWhole(upTo.text) ? upTo.text : undefined;
    const id = `${this.epoch}-${this.#nextNumber}`;
    this.#nextNumber += 1;
    this.#length = isWhole ? 1 : this.#length + 1;
    this.hasNews = false;
    return { stream: this, id, entry: { epoch: this.epoch, isWhole, pieces, endsAt }, upTo };
  }

  /** Called when the entry was added and Redis has `length` of them; null if there was no stream to add it to. */
  arrived({ upTo }: Batch, length: number | null): void {
    if (length !== this.#length) this.doubt();
    else {
      this.#sent = upTo;
      this.#isInDoubt = false;
    }
  }

  /** Called when it is unknown what Redis has. */
  doubt(): void {
    this.#isInDoubt = true;
    this.hasNews = true;
  }
}

/** The text of an attempt after `from`, in order. */
function piecesOf(transcript: AttemptText | undefined, from: Offsets): { pieces: RedisPiece[]; upTo: Offsets } {
  const pieces: RedisPiece[] = [];
  let upTo = from;
  for (;;) {
    const chunk = transcript?.next(upTo, { thinking: true, maxBytes: maxPieceBytes });
    if (!chunk) return { pieces, upTo };
    const { kind, text } = chunk;
    pieces.push({ kind, at: chunk.upTo[kind] - text.length, text });
    upTo = chunk.upTo;
  }
}
