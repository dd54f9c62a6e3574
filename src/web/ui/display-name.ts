/** Names for display, without invisible characters and those that change the direction of the text around them. */
import type { Identity } from '../api/types.js';
import { defineTexts } from '../language/texts.js';

const texts = defineTexts('ui/display-name', {
  you: 'You',
  nameless: 'A member without a name',
  untitled: 'Untitled thread',
});
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const hidden = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text by a user or a model that is shown on one line with other text. */
export function cleanText(text: string): string {
  return text.replace(hidden, '');
}

export function displayName(name: string | null | undefined, otherwise: string): string {
  return cleanText(name ?? '').trim() || otherwise;
}

export function viewerName({ name, email }: Identity): string {
  return displayName(name ?? email, texts.get().you);
}

export function memberName(name: string | null): string {
  return displayName(name, texts.get().nameless);
}

/**
 * The first letters of the first and the last word, without what stands in brackets behind a name; a question mark for a person
 * without a name.
 */
export function initialsOf(name: string | null): string {
  const whole = displayName(name, '?');
  const words = whole.replace(/\([^)]*\)?|\[[^\]]*\]?/g, ' ').match(/(?<!\S)[\p{L}\p{N}]\S*/gu) ?? [whole];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstOf(word ?? '').toLocaleUpperCase()).join('');
}

function firstOf(word: string): string {
  const [first] = graphemes.segment(word);
  return first?.segment ?? '';
}

export function threadTitle(thread: { title: string | null } | undefined): string {
  return displayName(thread?.title, texts.get().untitled);
}

/** The name of the viewer's organization; its short name if it has no other. */
export function organizationName({ organizationName: name, organizationSlug }: Identity): string {
  return displayName(name, organizationSlug);
}
