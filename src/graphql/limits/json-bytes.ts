/** How many bytes a value takes as JSON in UTF-8, without writing it. */

/** Maximum length of what is no text: numbers, booleans and null. */
const shortValue = 24;

/** Bytes of quotes, colon and comma around a name, or of the braces of an object. */
const punctuation = 4;

/** Characters that JSON writes as they are, in a byte each. */
const plainText = /^[ !#-[\]-~]*$/;

/** Exact for texts, an upper bound for the rest. Stops counting beyond `most`, so that it costs no more than that is worth. */
export function jsonBytes(value: unknown, most: number): number {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return shortValue;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += jsonBytes(item, most - bytes) + 1;
      if (bytes > most) break;
    }
    return bytes;
  }
  for (const [name, field] of Object.entries(value)) {
    bytes += name.length + punctuation + jsonBytes(field, most - bytes);
    if (bytes > most) break;
  }
  return bytes;
}

function bytesOfText(text: string): number {
  return plainText.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}
