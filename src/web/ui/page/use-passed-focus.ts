import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** Passes the focus on when the element that has it, or that contains what has it, is removed. */
export function usePassedFocus<Removed extends Element>(
  ref: RefObject<Removed | null>,
  pass: (removed: Removed) => void,
): void {
  const passOn = useEffectEvent(pass);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) passOn(element);
    };
  }, [ref]);
}
