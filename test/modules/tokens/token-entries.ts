import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';

export const textIn = (entries: readonly TokenEntry[]) =>
  entries.map(({ kind, text }) => (kind === 'text' ? text : '')).join('');

/** Neighbours of one kind joined: what a list of entries amounts to, however it was cut. */
export function merged(entries: readonly TokenEntry[]): TokenEntry[] {
  const result: TokenEntry[] = [];
  for (const { kind, text } of entries) {
    const last = result.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') result.push({ kind, text });
  }
  return result;
}

/** True where the text has no half of a surrogate pair. */
export const isWellFormed = (text: string) => !/\p{Cs}/u.test(text);
