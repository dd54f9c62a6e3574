import type { Code } from 'micromark-util-types';

/** What the parser reads, as a character; empty at the end of a line or of the text. Tabs are spaces. */
export function characterOf(code: Code): string {
  if (code === null || code < -2) return '';
  return code < 0 ? ' ' : String.fromCharCode(code);
}

/** A letter of a script that has no spaces between words, or none before endings, so that no mark has a space beside it either. */
export const unspacedLetter =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
