/**
 * A button that opens a menu or a dialog. It is loaded when the pointer or the focus reaches the button, so it does not delay
 * the first view.
 */
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { IconButton } from './button.js';
import type { Approaching } from './state/late-component.js';

export interface MenuItem {
  /** Tells items with the same label apart. */
  id?: string;
  icon: LucideIcon;
  label: string;
  run: () => void;
}

/** What a menu is given by its button. */
export interface MenuFrame {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

export interface MenuProps {
  label: string;
  icon: LucideIcon;
  small?: boolean;
  popup?: 'menu' | 'dialog';
  /** Loads what `children` renders. */
  approaching: Approaching;
  children: (frame: MenuFrame) => ReactNode;
}

export function Menu({ label, icon, small = false, popup = 'menu', approaching, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        small={small}
        aria-haspopup={popup}
        aria-expanded={isOpen}
        {...approaching}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && children({ label, button, onClose: () => setOpen(false) })}
    </>
  );
}
