/** The entries of the palette and their groups. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Timestamp } from '../ui/timestamp.js';
import type { PaletteItem } from './palette-items.js';

export interface OptionProps {
  item: PaletteItem;
  isChosen: boolean;
  onPress: () => void;
}

/** Keys are handled by the field, which keeps the focus. */
export function Option({ item: { id, icon: Icon, label, at }, isChosen, onPress }: OptionProps) {
  const option = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <button
      ref={option}
      type="button"
      id={`palette-${id}`}
      className="palette-item"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon />
      <bdi className="one-line">{label}</bdi>
      {at && <Timestamp at={at} />}
    </button>
  );
}

/** A list of its own: Chromium takes the options in a `fieldset` for buttons. */
export function Group({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <>
      <p id={`${id}-label`}>{label}</p>
      <div id={id} role="listbox" aria-labelledby={`${id}-label`}>
        {children}
      </div>
    </>
  );
}
