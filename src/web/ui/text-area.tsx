/** A field for a text of several lines. */
import { type ComponentProps, type RefObject, useLayoutEffect } from 'react';

/**
 * Without a value for the beginning, React writes each key into it too, and Chrome then undoes one letter at
 * a time.
 */
export function TextArea(textarea: ComponentProps<'textarea'>) {
  return <textarea dir="auto" defaultValue="" {...textarea} />;
}

/** Makes a field as high as its text where `field-sizing` is unknown: in Firefox before 152 and in Safari before 26.2. */
export function useGrowth(field: RefObject<HTMLTextAreaElement | null>): void {
  // Runs after every render.
  useLayoutEffect(() => {
    const { current } = field;
    if (!current || CSS.supports('field-sizing:content')) return;
    current.style.height = 'auto';
    const { scrollHeight, offsetHeight, clientHeight } = current;
    current.style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
  });
}
