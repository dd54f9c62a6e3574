import type { Code } from 'micromark-util-types';

/** What the parser reads, as a character; empty at the end of a line or of the text. Tabs are spaces. */
export function characterOf(code: Code): string {
  if (code === null || code < -2) return '';
  return code < 0 ? ' ' : String.fromCharCode(code);
}
