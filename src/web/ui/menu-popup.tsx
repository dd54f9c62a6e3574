/**
 * The menu behind a button. The focus starts at the first item. It returns to the button before an item runs, so that an
 * item can move it elsewhere.
 */
import { Menu } from '@base-ui/react/menu';
import type { KeyboardEvent, RefObject } from 'react';
import type { MenuItem } from './menu-item.js';
import './menu.css';

export interface MenuPopupProps {
  label: string;
  items: MenuItem[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

export default function MenuPopup({ label, items, button, onClose }: MenuPopupProps) {
  // Keeps the menu inside a landmark, for screen reader users who navigate by landmarks.
  const landmark = button.current?.closest<HTMLElement>('nav, main');
  const close = () => {
    button.current?.focus();
    onClose();
  };
  // The browser then moves the focus on from the button.
  const closeByTab = ({ key }: KeyboardEvent) => key === 'Tab' && close();
  return (
    <Menu.Root open onOpenChange={close}>
      <Menu.Portal container={landmark}>
        <Menu.Positioner anchor={button} align="end" sideOffset={4} collisionPadding={8} className="menu-position">
          <Menu.Popup aria-label={label} className="menu" finalFocus={false} onKeyDown={closeByTab}>
            {items.map(({ icon: Icon, label: words, run }, index) => (
              <Menu.Item
                key={words}
                ref={index === 0 ? focusItem : undefined}
                className="menu-item"
                closeOnClick={false}
                onClick={(event) => {
                  // Keeps Base UI from moving the focus back to the item.
                  event.preventBaseUIHandler();
                  close();
                  run();
                }}
              >
                <Icon />
                {words}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function focusItem(item: HTMLElement | null): void {
  item?.focus();
}
