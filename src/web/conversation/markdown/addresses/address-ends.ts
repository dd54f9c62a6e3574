/**
 * Where an address of the web ends in a text: before punctuation that only texts have, as that of Chinese and Arabic, and before
 * `**`; a host ends before a word of a script without spaces. Most writers leave no space there, and what follows would be part of
 * the link. It could even change its host, since browsers read an ideographic full stop as a dot.
 */
import { unspacedLetter } from '../character.js';

/** Not the dashes and dots that names of pages have. */
const punctuation = /(?![\0-\xa0·・‐‑–])[\p{P}\p{Sm}＾｀]/u;
/** Of Markdown: strong emphasis, and what a bracket before the address would be the text of. */
const marks = /\*\*|\][([]/;
const endOfAddress = new RegExp(`${marks.source}|${punctuation.source}`, 'u');
/** A whole host whose last part a word follows: no top-level domain consists of letters of both kinds. */
const hostBeforeWord = new RegExp(
  `^(?:https?://|www\\.)[a-z\\d.-]*\\.[a-z]{2,}(?::\\d+)?(?=${unspacedLetter.source})(?![^/?#]*\\.[\\p{L}\\p{N}])`,
  'iu',
);
/** At the end of an address these belong to the text around it. */
const trailing = /[!"'*,.:;?\]_~]/;

/** Whether an address that begins this run has ended in it, or ends before the next character. */
export function isOver(run: string, next: string): boolean {
  return next === '' || /[\s<]/.test(next) || punctuation.test(next) || marks.test(run.slice(-2));
}

/** The address that a run of such characters begins with. */
export function addressIn(run: string): string {
  const whole = run.slice(0, endIn(run));
  const [address] = hostBeforeWord.exec(whole) ?? [whole];
  let end = address.length;
  let unopened = address.split(')').length - address.split('(').length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (last === ')' ? unopened <= 0 : !trailing.test(last)) break;
    if (last === ')') unopened -= 1;
    end -= last === ';' ? lengthOfEntity(address.slice(0, end)) : 1;
  }
  return address.slice(0, end);
}

/** The index of what ends an address; the length of the text if nothing does. */
export function endIn(text: string): number {
  const end = text.search(endOfAddress);
  return end < 0 ? text.length : end;
}

/** Of one like `&amp;` at the end, or of the semicolon alone. */
function lengthOfEntity(text: string): number {
  return /&[a-z]+;$/i.exec(text.slice(-longestEntity))?.[0].length ?? 1;
}

const longestEntity = 40;
