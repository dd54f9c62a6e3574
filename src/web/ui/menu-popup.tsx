/**
 * The menu behind a button. The focus starts at the first item. It returns to the button before an item runs, so that an
 * item can move it elsewhere.
 */
import { Menu } from '@base-ui/react/menu';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { MenuFrame, MenuItem } from './menu.js';
import './menu.css';

export interface MenuPopupProps extends MenuFrame {
  items: MenuItem[];
}

export function MenuPopup({ label, items, button, onClose }: MenuPopupProps) {
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
            {items.map(({ id, icon: Icon, label: words, run }) => (
              <Menu.Item
                key={id ?? words}
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
            <FirstFocus />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Moves the focus to the first item when the menu knows its items: before, the first arrow key would stay on it. */
function FirstFocus() {
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => end.current?.parentElement?.querySelector<HTMLElement>('[role=menuitem]')?.focus(), []);
  return <span ref={end} hidden />;
}
