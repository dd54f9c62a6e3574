/**
 * A button that opens a menu. The menu is loaded when the pointer or the focus reaches the button, so it does not delay the
 * first view.
 */
import type { LucideIcon } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { IconButton } from './button.js';
import type { MenuItem } from './menu-item.js';
import { loadOnApproach } from './state/load-on-approach.js';

export interface MenuProps {
  label: string;
  icon: LucideIcon;
  items: MenuItem[];
  small?: boolean;
}

const { Component: MenuPopup, approaching } = loadOnApproach(() => import('./menu-popup.js'));

export function Menu({ label, icon, items, small = false }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        small={small}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...approaching}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopup label={label} items={items} button={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
