/** A text in which elements stand, wherever the language puts them. */
import { Fragment, type ReactNode } from 'react';

export interface SentenceProps {
  /** With a `{name}` for each part. */
  text: string;
  parts: Readonly<Record<string, ReactNode>>;
}

export function Sentence({ text, parts }: SentenceProps) {
  // Every other piece is a name.
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : <Fragment key={piece}>{parts[piece]}</Fragment>));
}
