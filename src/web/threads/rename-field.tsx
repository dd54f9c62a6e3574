/** The name of a thread as a field, in its place: Enter keeps what is written, Escape leaves it as it was. */
import { useEffect, useRef } from 'react';

export interface RenameFieldProps {
  name: string | null;
  onDone: (name: string | null) => void;
}

export function RenameField({ name, onDone }: RenameFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => input.current?.select(), []);
  const done = (value: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(value === null || value.trim() === (name ?? '') ? null : value);
  };
  return (
    <input
      ref={input}
      className="input rename"
      aria-label="Name of the thread"
      defaultValue={name ?? ''}
      maxLength={255}
      onBlur={({ currentTarget }) => done(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') done(event.currentTarget.value);
        else if (event.key === 'Escape') done(null);
        event.stopPropagation();
      }}
    />
  );
}
