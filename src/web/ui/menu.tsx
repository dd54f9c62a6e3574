/**
 * A menu behind a button: arrows move, Escape and a click elsewhere close it, and the focus returns to the button. It stands in
 * the browser's top layer, so that no list that scrolls cuts it off.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './button.js';
import { Icon, type IconName } from './icon.js';
import './menu.css';

export interface MenuItem {
  icon: IconName;
  label: string;
  run: () => void;
}

export interface MenuProps {
  label: string;
  icon: IconName;
  items: MenuItem[];
  small?: boolean;
}

export function Menu({ label, icon, items, small }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen || !list.current || !button.current) return;
    return openAt(list.current, button.current, () => setOpen(false));
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
  };
  const choose = (item: MenuItem) => {
    close();
    item.run();
  };
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        small={small ?? false}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div
          id={id}
          ref={list}
          popover="manual"
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="menu"
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button key={item.label} type="button" role="menuitem" onClick={() => choose(item)}>
              <Icon name={item.icon} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Shows the list below its button, or above it where there is no room. Returns what takes the listeners away. */
function openAt(list: HTMLElement, button: HTMLElement, close: () => void): () => void {
  list.showPopover();
  const { top, bottom, right } = button.getBoundingClientRect();
  const { offsetHeight, offsetWidth } = list;
  const isAbove = bottom + offsetHeight + 8 > innerHeight;
  list.style.top = `${isAbove ? Math.max(8, top - offsetHeight - 4) : bottom + 4}px`;
  list.style.left = `${Math.max(8, Math.min(right - offsetWidth, innerWidth - offsetWidth - 8))}px`;
  list.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  const closeOutside = ({ target }: PointerEvent) => {
    if (target instanceof Node && !list.contains(target) && !button.contains(target)) close();
  };
  document.addEventListener('pointerdown', closeOutside);
  addEventListener('resize', close);
  return () => {
    document.removeEventListener('pointerdown', closeOutside);
    removeEventListener('resize', close);
  };
}

function move(event: KeyboardEvent, step: number): void {
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const index = items.findIndex((item) => item.matches(':focus'));
  items[(index + step + items.length) % items.length]?.focus();
}
