/**
 * Takes the keys that are typed between the opening of the palette and the moment when its field has the focus: it is loaded when
 * it is opened for the first time, and whatever has the focus until then would get them.
 */
import { useEffect } from 'react';

export function useEarlyKeys(isOpen: boolean, write: (change: (written: string) => string) => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const take = (event: KeyboardEvent) => {
      if (document.querySelector('.palette')?.contains(document.activeElement)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const change = changeBy(event.key);
      if (!change) return;
      event.preventDefault();
      event.stopPropagation();
      write(change);
    };
    addEventListener('keydown', take, { capture: true });
    return () => removeEventListener('keydown', take, { capture: true });
  }, [isOpen, write]);
}

function changeBy(key: string): ((written: string) => string) | undefined {
  if (key === 'Backspace') return (written) => written.slice(0, -1);
  // It must not send what is written in the field below.
  if (key === 'Enter') return (written) => written;
  return Array.from(key).length === 1 ? (written) => written + key : undefined;
}
