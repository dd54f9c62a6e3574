/**
 * Some clients split server-sent events at any Unicode line break, for example Python's `splitlines`. JSON escapes
 * those below U+0020, but not these three.
 */
const unescaped = /[\u0085\u2028\u2029]/g;

/** Escapes all characters that a client could take for a line break. */
export function escapeLineBreaks(json: string): string {
  return json.replace(unescaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Encodes JSON with these characters escaped. */
export class LineSafeEncoder extends TextEncoder {
  override encode(json = ''): Uint8Array<ArrayBuffer> {
    return super.encode(escapeLineBreaks(json));
  }
}
