/**
 * A person as a round mark with their initials. Its colour follows from the id of the person, so that people look the same
 * everywhere and to everyone.
 */
import { displayName } from './display-name.js';
import './person-mark.css';

/** How many colours `person-mark.css` has. */
const colours = 8;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The name is said by the text beside the mark. */
export function PersonMark({ id, name }: { id: string; name: string | null }) {
  return (
    <span className="person-mark" data-colour={personColour(id)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** The first letters of the first and the last word; a question mark for a person without a name. */
export function initialsOf(name: string | null): string {
  const words = displayName(name, '?').split(/\s+/);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstOf(word ?? '').toLocaleUpperCase()).join('');
}

function firstOf(word: string): string {
  const [first] = graphemes.segment(word);
  return first?.segment ?? '';
}

/** The number of the colour of a person. */
export function personColour(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % colours;
}
