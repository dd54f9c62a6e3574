/**
 * Makes streamed text storable: U+0000 and lone surrogates, which PostgreSQL cannot store, become U+FFFD. Models stream
 * UTF-16 pieces that may end within a surrogate pair; the first half then waits for the second, so that no output piece
 * splits a pair, and the pieces add up to the cleaned text.
 */
import { endsInsidePair } from '../../tokens/chunk.js';

const replacement = '\uFFFD';

/** With the flag `u`, `\p{Cs}` matches only lone surrogates. */
const unstorable = /[\0\p{Cs}]/gu;

/** Cleans a whole text. */
export function wellFormed(text: string): string {
  return text.replace(unstorable, replacement);
}

/** Cleans a text that arrives in pieces. */
export class WellFormedText {
  #held = '';

  /** Returns what can be passed on now, possibly nothing. */
  push(delta: string): string {
    const text = this.#held + delta;
    const cut = endsInsidePair(text) ? text.length - 1 : text.length;
    this.#held = text.slice(cut);
    return wellFormed(text.slice(0, cut));
  }

  /** Returns the rest when the text ends: nothing, or the replacement of half a pair. */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return wellFormed(rest);
  }
}
