/** A text with the words that were searched for marked in it. */
import { Fragment } from 'react';

/** The words of a search, without its operators. */
export function wordsOf(q: string): string[] {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.toLowerCase() !== 'or');
}

/** Finds the words at the beginning of words, as the service does. Null where nothing is searched for. */
export function patternOf(q: string): RegExp | null {
  const words = wordsOf(q);
  return words.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu');
}

export function Marked({ text, q }: { text: string; q: string }) {
  const pattern = patternOf(q);
  if (!pattern) return text;
  return text.split(pattern).map((part, index) => {
    // Every second part is what the group of the pattern has found.
    const key = `${index}:${part}`;
    return index % 2 ? <mark key={key}>{part}</mark> : <Fragment key={key}>{part}</Fragment>;
  });
}
