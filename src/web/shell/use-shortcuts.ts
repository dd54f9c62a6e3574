/** Keyboard shortcuts. In a text field only those with Ctrl or ⌘ act, since the other keys write. */
import { useEffect, useState } from 'react';
import { isCommand, isTyping, letterOf } from '../ui/typing.js';
import { toggleList } from './list-width.js';

/** What is open above the page. */
export type Overlay = 'palette' | 'keys' | null;

/** Whether the palette was asked for before there was a page for it. */
let isAwaited = false;

/** Keeps the key of the palette that is pressed while the page starts. */
export function useEarlyPalette(): void {
  useEffect(() => {
    const note = (event: KeyboardEvent) => {
      if (!isForPalette(event)) return;
      event.preventDefault();
      isAwaited = !isAwaited;
    };
    addEventListener('keydown', note);
    return () => {
      removeEventListener('keydown', note);
      // The page has taken it; the sign-in has no palette.
      isAwaited = false;
    };
  }, []);
}

export function useShortcuts(navigate: (path: string) => void) {
  const [overlay, setOverlay] = useState<Overlay>(isAwaited ? 'palette' : null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const act = actionOf(event, { navigate, setOverlay });
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate]);
  return { overlay, setOverlay };
}

interface Means {
  navigate: (path: string) => void;
  setOverlay: (change: (now: Overlay) => Overlay) => void;
}

function actionOf(event: KeyboardEvent, { navigate, setOverlay }: Means): (() => void) | undefined {
  const isInDialog = document.querySelector('[role=dialog]') !== null;
  if (isForPalette(event)) {
    if (!isInDialog || document.querySelector('.palette')) {
      return () => setOverlay((now) => (now === 'palette' ? null : 'palette'));
    }
  }
  if (isInDialog) return undefined;
  if (isCommand(event) && !event.shiftKey && letterOf(event) === 'b') return toggleList;
  if (isForNewThread(event)) return () => startThread(navigate);
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === '?') return () => setOverlay(() => 'keys');
  const search = document.querySelector<HTMLElement>('[data-shortcut=search]');
  return event.key === '/' && search ? () => search.focus() : undefined;
}

function startThread(navigate: (path: string) => void): void {
  navigate('/new');
  // If that page is already open, it does not take the focus by itself.
  document.querySelector<HTMLElement>('.new-thread textarea')?.focus();
}

function isForPalette(event: KeyboardEvent): boolean {
  return isCommand(event) && !event.shiftKey && letterOf(event) === 'k';
}

function isForNewThread(event: KeyboardEvent): boolean {
  if (isCommand(event)) return event.shiftKey && letterOf(event) === 'o';
  return event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN';
}
