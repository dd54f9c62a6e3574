/**
 * Encodes and decodes opaque cursors: base64url of a text of limited length. Node's decoder ignores invalid characters,
 * so a cursor is accepted only in exactly the form in which it was returned.
 */

/** Maximum length of a cursor. Lists repeat cursors for each item. */
export const maximumCursorLength = 16_384;

export function encodeCursorText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Decodes a cursor; null for anything that `encodeCursorText` cannot have produced. */
export function decodeCursorText(cursor: string): string | null {
  if (cursor.length > maximumCursorLength) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  return encodeCursorText(text) === cursor ? text : null;
}
