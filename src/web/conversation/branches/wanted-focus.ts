/** The control that gets the focus as soon as it appears, for a control that takes the place of the one that was pressed. */
import { type RefObject, useEffect } from 'react';

let wanted: string | null = null;

export function wantFocus(key: string): void {
  wanted = key;
}

export function useWantedFocus(key: string, control: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (wanted !== key) return;
    wanted = null;
    control.current?.focus();
  }, [key, control]);
}
