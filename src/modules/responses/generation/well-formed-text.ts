/**
 * Makes streamed text storable: PostgreSQL cannot hold U+0000, and a lone surrogate is no character, so both become
 * U+FFFD. Models stream UTF-16 pieces that may end inside a surrogate pair; the first half waits for the second, so
 * that no piece that comes out begins or ends inside a pair, and the pieces add up to the cleaned whole.
 */
const replacement = '\uFFFD';

/** With the flag `u` a proper pair is one character, so `\p{Cs}` finds only the lone halves. */
const unstorable = /[\0\p{Cs}]/gu;

/** A whole text, cleaned. */
export function wellFormed(text: string): string {
  return text.replace(unstorable, replacement);
}

/** Cleans one text that arrives in pieces. */
export class WellFormedText {
  #held = '';

  /** What can be passed on now; it may be empty. */
  push(delta: string): string {
    const text = this.#held + delta;
    const cut = endsInsidePair(text) ? text.length - 1 : text.length;
    this.#held = text.slice(cut);
    return wellFormed(text.slice(0, cut));
  }

  /** What is left when the text ends: nothing, or the replacement of half a pair. */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return wellFormed(rest);
  }
}

function endsInsidePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
