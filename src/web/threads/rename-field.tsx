/**
 * Edits the name of a thread in place. Enter saves, as does whatever takes the focus away, and Escape cancels; then the focus moves
 * to the element that takes the place of the field.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { textLimits } from '../../contract.js';
import { defineTexts, useTexts } from '../language/texts.js';

const texts = defineTexts('threads/rename-field', { name: 'Thread name' });

export interface RenameFieldProps {
  name: string | null;
  onDone: (name: string | null) => void;
}

export function RenameField({ name, onDone }: RenameFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const leave = useEffectEvent((field: HTMLInputElement | null) => {
    if (field && field.value !== field.defaultValue) done(field.value);
  });
  useEffect(() => {
    const field = input.current;
    field?.focus();
    field?.select();
    // The row goes to the group of another day when something is said in the thread.
    return () => leave(field);
  }, []);
  const done = (value: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(value === null || value.trim() === (name ?? '') ? null : value);
  };
  const doneByKey = (value: string | null) => {
    const place = input.current?.parentElement;
    flushSync(() => done(value));
    place?.querySelector<HTMLElement>('.thread-link, [aria-haspopup=menu]')?.focus();
  };
  return (
    <input
      ref={input}
      className="input rename"
      dir="auto"
      aria-label={useTexts(texts).name}
      defaultValue={name ?? ''}
      maxLength={textLimits.name.max}
      onBlur={({ currentTarget }) => done(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          // Otherwise the same key press would activate the element that gets the focus.
          event.preventDefault();
          doneByKey(event.currentTarget.value);
        } else if (event.key === 'Escape') doneByKey(null);
        event.stopPropagation();
      }}
    />
  );
}
