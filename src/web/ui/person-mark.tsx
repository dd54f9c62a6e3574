/**
 * A person as a round mark with their initials. Its colour follows from the id of the person, so that people look the same
 * everywhere and to everyone.
 */
import type { CSSProperties } from 'react';
import { initialsOf } from './display-name.js';
import './person-mark.css';

const colours = 8;

/** The name is said by the text beside the mark. */
export function PersonMark({ id, name }: { id: string; name: string | null }) {
  return (
    <span className="person-mark" {...personColour(id)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** The colour of a person, for `person-mark.css`. */
export function personColour(id: string) {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  const colour = sum % colours;
  return { 'data-colour': colour, style: { '--hue': 20 + (360 / colours) * colour } as CSSProperties };
}
