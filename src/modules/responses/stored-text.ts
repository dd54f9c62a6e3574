/**
 * The part of a response's stored text that its viewer gets next. Viewers may be slow, and a thousand of them may read long
 * answers, so each holds only a part in memory; the rest is read when it is needed.
 */
import { pairStart, takeChunk } from '../tokens/chunk.js';

/** UTF-16 units. Most answers are shorter. */
const partUnits = 64 * 1024;

export class StoredText {
  /** Length of the whole text in UTF-16 units. */
  readonly length: number;
  readonly #begin: number;
  readonly #part: string;

  /** The part of `text` from a position on. */
  constructor(text: string, from: number) {
    this.length = text.length;
    this.#begin = pairStart(text, Math.min(from, text.length));
    const part = text.slice(this.#begin, pairStart(text, this.#begin + partUnits));
    // A copy, because V8 would keep the whole text in memory for a slice of it.
    this.#part = part.length === text.length ? text : Buffer.from(part).toString();
  }

  /** Whether the text after a position is not in this part. */
  lacks(position: number): boolean {
    return position < this.length && (position < this.#begin || position >= this.#begin + this.#part.length);
  }

  /** The text after a position, which is moved out of a surrogate pair; undefined if there is none, or not in this part. */
  next(position: number, maxBytes: number): { text: string; upTo: number } | undefined {
    if (position >= this.length || this.lacks(position)) return undefined;
    const begin = pairStart(this.#part, position - this.#begin);
    const text = takeChunk(this.#part, begin, maxBytes);
    return { text, upTo: this.#begin + begin + text.length };
  }
}
