/**
 * The outer form of every opaque cursor: base64url of a text, of bounded length. Node's decoder passes over whatever is not
 * base64url, so a cursor counts only in the one form in which it was given out; no other text stands for a position.
 */

/** Characters of a cursor. Those of a list are repeated for each item. */
export const maximumCursorLength = 16_384;

export function encodeCursorText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** What the cursor says; null for anything that `encodeCursorText` cannot have made, and for what is too long. */
export function decodeCursorText(cursor: string): string | null {
  if (cursor.length > maximumCursorLength) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  return encodeCursorText(text) === cursor ? text : null;
}
