/**
 * Splits text into chunks of bounded UTF-8 size, never inside a surrogate pair, because a lone surrogate has no UTF-8 form
 * and would arrive as U+FFFD.
 */

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** `index`, or the index before it if `index` is inside a surrogate pair. */
export function pairStart(text: string, index: number): number {
  const splits = isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1));
  return splits ? index - 1 : index;
}

/** Whether `text` ends with a high surrogate, whose low surrogate may still come. */
export function endsInsidePair(text: string): boolean {
  return isHighSurrogate(text.charCodeAt(text.length - 1));
}

/**
 * The piece of `text` that starts at `from` and takes at most `maxBytes` in UTF-8 (6 or more); '' at the end of the text.
 * `from` must not be inside a surrogate pair: see `pairStart`.
 */
export function takeChunk(text: string, from: number, maxBytes: number): string {
  const most = text.slice(from, pairStart(text, from + maxBytes));
  if (Buffer.byteLength(most) <= maxBytes) return most;
  // A UTF-16 unit takes at most three bytes of UTF-8, so a third of the units always fits.
  return text.slice(from, pairStart(text, from + Math.floor(maxBytes / 3)));
}
