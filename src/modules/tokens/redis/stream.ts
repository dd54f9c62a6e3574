/**
 * One attempt on its way into Redis. It keeps no text: what was sent is a place in the token log, from where everything can
 * be sent again. After any doubt (no answer, an error, a stream that is gone or has another length) the next entry holds
 * the whole text so far and takes the place of all before it, so Redis always has a prefix without a gap, or nothing.
 */
import type { AttemptText, Offsets } from '../log/attempt-text.js';
import type { RedisEntry, RedisPiece } from './entry.js';

/** An entry that is being sent, and the place in the log up to which it brings its readers. */
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
  /** True where something was said or ended since the last batch was packed. */
  hasNews = true;
  /** When it ended here, in milliseconds of `performance.now()`. */
  endedAtMs: number | undefined;
  #sent: Offsets = { text: 0, thinking: 0 };
  /** Goes up with each entry, whether it arrives or not: a name that is refused can only mean a newer attempt. */
  #nextNumber = 0;
  /** Entries that Redis has when the one on its way has arrived. */
  #length = 0;
  #isInDoubt = true;

  constructor(responseId: string, epoch: number) {
    this.responseId = responseId;
    this.epoch = epoch;
  }

  /** The next entry: what `transcript`, the attempt's text in the log, has more than Redis. */
  pack(transcript: AttemptText | undefined): Batch {
    const isWhole = this.#isInDoubt;
    const { pieces, upTo } = piecesOf(transcript, isWhole ? { text: 0, thinking: 0 } : this.#sent);
    // A log that lacks some of the text must not say that this was all.
    const endsAt = this.endedAtMs !== undefined && transcript?.isWhole(upTo.text) ? upTo.text : undefined;
    const id = `${this.epoch}-${this.#nextNumber}`;
    this.#nextNumber += 1;
    this.#length = isWhole ? 1 : this.#length + 1;
    this.hasNews = false;
    return { stream: this, id, entry: { epoch: this.epoch, isWhole, pieces, endsAt }, upTo };
  }

  /** The entry was added, and Redis has `length` of them; null where it was not added, because there is no stream. */
  arrived({ upTo }: Batch, length: number | null): void {
    if (length !== this.#length) this.doubt();
    else {
      this.#sent = upTo;
      this.#isInDoubt = false;
    }
  }

  /** Nobody knows what Redis has. */
  doubt(): void {
    this.#isInDoubt = true;
    this.hasNews = true;
  }
}

/** What an attempt has said behind `from`, in its order. */
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
