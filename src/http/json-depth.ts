const quote = 0x22;
const backslash = 0x5c;
/** Square and curly brackets differ in this bit. */
const kindOfBracket = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Whether the JSON is nested deeper than `levels`, by brackets outside of strings. It reads no further than that, so it costs less
 * than parsing, and has no recursion that could overflow the stack.
 */
export function isDeeperThan(levels: number, json: Uint8Array): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < json.length && depth <= levels; at += 1) {
    const byte = json[at] ?? 0;
    if (isString && byte === backslash) at += 1;
    else if (byte === quote) isString = !isString;
    else if (isString) continue;
    else if ((byte | kindOfBracket) === opening) depth += 1;
    else if ((byte | kindOfBracket) === closing) depth -= 1;
  }
  return depth > levels;
}
