/** The keys of the list of threads: arrows from the search field through the threads and hits and back, and Escape to select none. */
import { type RefObject, useEffect } from 'react';

const entries = '.thread-link, .thread-hit';
const field = '[data-shortcut=search]';

export function useListKeys(panel: RefObject<HTMLElement | null>, cancel: () => void): void {
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel();
      else moveThroughList(element, event);
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  }, [panel, cancel]);
}

function moveThroughList(panel: HTMLElement, event: KeyboardEvent): void {
  const { key, target } = event;
  if (!(target instanceof HTMLElement) || !target.matches(`${entries}, ${field}`)) return;
  const all = [...panel.querySelectorAll<HTMLElement>(entries)];
  const search = panel.querySelector<HTMLElement>(field);
  // The search field comes before the first entry.
  const at = all.indexOf(target);
  const next = nextIndex(key, at, all.length);
  if (next === undefined) return;
  event.preventDefault();
  (next < 0 ? search : all[next])?.focus();
}

function nextIndex(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, length - 1);
  if (at < 0) return undefined;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : undefined;
}
