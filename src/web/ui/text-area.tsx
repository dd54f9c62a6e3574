/** A field for a text of several lines. */
import type { ComponentProps } from 'react';

/**
 * Without a value for the beginning, React writes each key into it too, and Chrome then undoes one letter at
 * a time.
 */
export function TextArea(textarea: ComponentProps<'textarea'>) {
  return <textarea dir="auto" defaultValue="" {...textarea} />;
}
