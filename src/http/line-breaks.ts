/**
 * Some readers of server-sent events split lines wherever Unicode has a line break (Python's `splitlines` is one). JSON
 * escapes those below U+0020 by itself, and leaves the other three as they are.
 */
const unescaped = /[\u0085\u2028\u2029]/g;

/** The same JSON without a character that any reader takes for the end of a line. */
export function escapeLineBreaks(json: string): string {
  return json.replace(unescaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Encodes JSON, alone or in frames. */
export class LineSafeEncoder extends TextEncoder {
  override encode(json = ''): Uint8Array<ArrayBuffer> {
    return super.encode(escapeLineBreaks(json));
  }
}
