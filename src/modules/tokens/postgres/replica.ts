import type { TokenKind } from '../log/attempt-text.js';
import { Replica } from '../replica.js';
import type { FeedChunk } from './feed-message.js';

/** A row of `token_chunk`. */
export interface StoredChunk {
  epoch: bigint;
  seq: number;
  kind: TokenKind;
  body: string;
}

/** Beyond this count the table is read again instead: each chunk has at most 5,000 bytes of text. */
const maxHeld = 100;

/** A copy of a response whose chunks arrive by notification, or from the table if one was missed. */
export class PostgresReplica extends Replica {
  /** The table is being read. */
  loading: Promise<void> | undefined;
  /** Whether the table may have newer chunks and must be read again. */
  isStale = false;
  #nextSeq = 0;
  #held: FeedChunk[] = [];

  get nextSeq(): number {
    return this.#nextSeq;
  }

  override begin(epoch: number): void {
    super.begin(epoch);
    this.#nextSeq = 0;
  }

  /** Keeps chunks that arrive during a read of the table. The end arrives when the rows have already been deleted. */
  hold(chunk: FeedChunk): void {
    if (this.#held.length < maxHeld) this.#held.push(chunk);
    else this.isStale = true;
  }

  /** Returns and forgets the kept chunks. */
  release(): FeedChunk[] {
    return this.#held.splice(0);
  }

  /** Takes a chunk of a notification. False if the table must be read first, because an earlier chunk was missed. */
  take(chunk: FeedChunk): boolean {
    if (chunk.epoch < this.epoch || (chunk.epoch === this.epoch && chunk.seq < this.#nextSeq)) return true;
    // An attempt that is followed from its first chunk needs no read of the table.
    if (chunk.epoch > this.epoch && chunk.seq === 0) this.begin(chunk.epoch);
    if (this.isLocal && chunk.epoch === this.epoch) return true;
    if (!this.#isNext(chunk) || (chunk.text === undefined && chunk.kind !== 'end')) return false;
    this.#write(chunk);
    return true;
  }

  /** Takes a row if it is the next one: after a gap the log would no longer be a prefix of the text. */
  takeStored({ epoch: bigEpoch, seq, kind, body: text }: StoredChunk): void {
    const epoch = Number(bigEpoch);
    if (epoch > this.epoch) this.begin(epoch);
    if (!this.isLocal && this.#isNext({ epoch, seq })) this.#write({ seq, kind, text });
  }

  #isNext({ epoch, seq }: Pick<FeedChunk, 'epoch' | 'seq'>): boolean {
    return epoch === this.epoch && seq === this.#nextSeq;
  }

  #write({ seq, kind, text }: Pick<FeedChunk, 'seq' | 'kind' | 'text'>): void {
    this.#nextSeq = seq + 1;
    if (kind === 'end') this.end();
    else this.append({ kind, text: text ?? '' });
  }
}
