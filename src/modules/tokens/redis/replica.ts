import type { Offsets } from '../log/attempt-text.js';
import { Replica } from '../replica.js';
import type { RedisEntry } from './entry.js';

/**
 * A copy of a response that is read from its stream in Redis. After a gap it waits for an entry with the whole text, so
 * the log always has a prefix of the text.
 */
export class RedisReplica extends Replica {
  /** Id of the last entry that was read. */
  lastId = '0-0';
  /** Whether the stream was not read yet. */
  isNew = true;
  #has: Offsets = { text: 0, thinking: 0 };
  /** Whether an entry with the whole text is still missing. */
  #isIncomplete = true;

  override begin(epoch: number): void {
    super.begin(epoch);
    this.#has = { text: 0, thinking: 0 };
    this.#isIncomplete = true;
  }

  take({ epoch, isWhole, pieces, endsAt }: RedisEntry): void {
    if (epoch < this.epoch) return;
    if (epoch > this.epoch) this.begin(epoch);
    if (isWhole) this.#isIncomplete = false;
    if (this.isLocal) return;
    for (const { kind, at, text } of pieces) {
      const has = this.#has[kind];
      if (at > has) this.#isIncomplete = true;
      if (this.#isIncomplete) return;
      if (at + text.length <= has) continue;
      this.append({ kind, text: text.slice(has - at) });
      this.#has[kind] = at + text.length;
    }
    if (endsAt === this.#has.text) this.end();
  }
}
