/**
 * The text and thinking of one attempt in order, in segments with cumulative offsets. A reader is two numbers, so any
 * number of readers share the segments, and reading changes nothing. Small tokens are joined into segments of up to
 * 1,024 units, because a string for each token would take many times the memory of its text.
 */
import { endsInsidePair, pairStart, takeChunk } from '../chunk.js';

export type TokenKind = 'text' | 'thinking';

export interface TokenEntry {
  kind: TokenKind;
  text: string;
}

/** UTF-16 units of each kind, counted from the start of the attempt. */
export type Offsets = Record<TokenKind, number>;

/** The next piece for a reader, and the offsets up to which the reader has everything once it has this piece. */
export interface TokenChunk extends TokenEntry {
  upTo: Offsets;
}

export interface ReadOptions {
  /** False leaves thinking out. */
  thinking: boolean;
  /** UTF-8 bytes of a chunk, at most. */
  maxBytes: number;
}

interface Segment extends TokenEntry {
  /** Offsets of both kinds at the end of this segment. */
  end: Offsets;
}

const segmentUnits = 1024;

export class AttemptText {
  #segments: Segment[] = [];
  readonly #maxBytes: number;
  readonly #bytes: Offsets = { text: 0, thinking: 0 };
  readonly #units: Offsets = { text: 0, thinking: 0 };
  readonly #full = { text: false, thinking: false };
  /** A high surrogate at the end of the appended text; it is withheld until its low surrogate arrives. */
  readonly #half = { text: '', thinking: '' };

  /** `maxBytes` bounds each kind on its own, so that long thinking takes no room from the answer. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes.text + this.#bytes.thinking;
  }

  /** Appends in constant time. False if the kind is full; it stays full, because a later entry would leave a gap. */
  append({ kind, text }: TokenEntry): boolean {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes[kind] + bytes > this.#maxBytes) this.#full[kind] = true;
    if (this.#full[kind]) return false;
    this.#bytes[kind] += bytes;
    const whole = this.#half[kind] + text;
    const cut = endsInsidePair(whole) ? whole.length - 1 : whole.length;
    this.#half[kind] = whole.slice(cut);
    if (cut > 0) this.#push(kind, whole.slice(0, cut));
    return true;
  }

  #push(kind: TokenKind, text: string): void {
    this.#units[kind] += text.length;
    const last = this.#segments.at(-1);
    if (last?.kind !== kind || last.text.length + text.length > segmentUnits) {
      this.#segments.push({ kind, text, end: { ...this.#units } });
      return;
    }
    last.text += text;
    last.end[kind] = this.#units[kind];
    // Reading a character makes V8 store the joined text in one piece; as a tree of tokens it takes 14 times the memory.
    last.text.charCodeAt(0);
  }

  /** Drops the text and accepts no more, to free memory. */
  clear(): void {
    this.#segments = [];
    this.#bytes.text = this.#bytes.thinking = 0;
    this.#full.text = this.#full.thinking = true;
  }

  /** Whether every text entry was kept and `textUnits` counts all of it. */
  isWhole(textUnits: number): boolean {
    return !this.#full.text && this.#half.text === '' && textUnits === this.#units.text;
  }

  /**
   * The text after `from`: adjacent entries of one kind, merged. Undefined if there is none (yet). An offset inside a
   * surrogate pair is moved before it. The two offsets are independent: a reader that has text but no thinking first
   * gets the missing thinking.
   */
  next(from: Offsets, { thinking, maxBytes }: ReadOptions): TokenChunk | undefined {
    let found: { kind: TokenKind; begin: number } | undefined;
    let text = '';
    for (let index = this.#firstUnread(from, thinking); text.length <= maxBytes; index += 1) {
      const segment = this.#segments[index];
      if (!segment || (found && found.kind !== segment.kind && this.#isUnread(segment, from, thinking))) break;
      if (!this.#isUnread(segment, from, thinking)) continue;
      const first = segment.end[segment.kind] - segment.text.length;
      const begin = found ? 0 : pairStart(segment.text, Math.max(0, from[segment.kind] - first));
      found ??= { kind: segment.kind, begin: first + begin };
      text += segment.text.slice(begin, begin + maxBytes + 1);
    }
    if (!found) return undefined;
    const chunk = takeChunk(text, 0, maxBytes);
    return { kind: found.kind, text: chunk, upTo: { ...from, [found.kind]: found.begin + chunk.length } };
  }

  #isUnread({ kind, end }: Segment, from: Offsets, thinking: boolean): boolean {
    return end[kind] > from[kind] && (thinking || kind === 'text');
  }

  #firstUnread(from: Offsets, thinking: boolean): number {
    const text = this.#firstBehind('text', from.text);
    return thinking ? Math.min(text, this.#firstBehind('thinking', from.thinking)) : text;
  }

  /** Index of the first segment that ends after `offset` of a kind, by binary search. */
  #firstBehind(kind: TokenKind, offset: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const segment = this.#segments[middle];
      if (segment && segment.end[kind] > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
