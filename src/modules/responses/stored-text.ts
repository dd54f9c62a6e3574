/**
 * A part of the stored text of a response: what its viewer is shown next. A viewer may take long, and a thousand of them may look
 * at long answers; so each holds a part alone, and what follows is read again when it is needed.
 */
import { pairStart, takeChunk } from '../tokens/chunk.js';

/** UTF-16 units. Most answers are shorter. */
const partUnits = 64 * 1024;

export class StoredText {
  /** Of the whole text, in UTF-16 units. */
  readonly length: number;
  readonly #begin: number;
  readonly #part: string;

  /** The part of `text` that is needed from a position on. */
  constructor(text: string, from: number) {
    this.length = text.length;
    this.#begin = pairStart(text, Math.min(from, text.length));
    const part = text.slice(this.#begin, pairStart(text, this.#begin + partUnits));
    // A copy: V8 would keep the whole text for a slice of it.
    this.#part = part.length === text.length ? text : Buffer.from(part).toString();
  }

  /** Whether something follows a position that is not in this part. */
  lacks(position: number): boolean {
    return position < this.length && (position < this.#begin || position >= this.#begin + this.#part.length);
  }

  /** What follows a position, moved before a surrogate pair in which it is; undefined where that is nothing, or not here. */
  next(position: number, maxBytes: number): { text: string; upTo: number } | undefined {
    if (position >= this.length || this.lacks(position)) return undefined;
    const begin = pairStart(this.#part, position - this.#begin);
    const text = takeChunk(this.#part, begin, maxBytes);
    return { text, upTo: this.#begin + begin + text.length };
  }
}
