import type { LucideIcon } from 'lucide-react';
import type { RefObject } from 'react';

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
