/**
 * The menu behind a button. The focus starts at its first entry, and is back at the button before an entry is run, so that an
 * entry may move it on.
 */
import { Menu } from '@base-ui/react/menu';
import type { KeyboardEvent, RefObject } from 'react';
import type { MenuItem } from './menu.js';
import './menu.css';

export interface MenuPopupProps {
  label: string;
  items: MenuItem[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

export default function MenuPopup({ label, items, button, onClose }: MenuPopupProps) {
  // A menu outside of every landmark would be missed by those who go from one to the next.
  const landmark = button.current?.closest<HTMLElement>('nav, main');
  const close = () => {
    button.current?.focus();
    onClose();
  };
  // The focus goes back at once, and the browser moves it on from there.
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
                  // Base UI would take the focus back to the entry.
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
