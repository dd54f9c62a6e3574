/**
 * A person as a round mark with their initials. Its colour follows from the id of the person, so that people look the same
 * everywhere and to everyone.
 */
import { initialsOf } from './display-name.js';
import './person-mark.css';

/** How many colours `person-mark.css` has. */
const colours = 8;

/** The name is said by the text beside the mark. */
export function PersonMark({ id, name }: { id: string; name: string | null }) {
  return (
    <span className="person-mark" data-colour={personColour(id)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** The number of the colour of a person. */
export function personColour(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % colours;
}
