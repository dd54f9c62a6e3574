/**
 * A component that is loaded apart from the first view, as soon as the pointer or the focus reaches the control that shows
 * it. It is loaded once, however often that happens.
 */
import { importWithRetry } from './import-with-retry.js';
import { type Fallback, type Load, late } from './late-component.js';

/** The handlers of the control. */
export interface Approaching {
  onPointerEnter: () => void;
  onFocus: () => void;
}

export function loadOnApproach<Props extends object>(load: Load<Props>, fallback?: Fallback<Props>) {
  let loading: ReturnType<typeof load> | undefined;
  const loadOnce = () => {
    loading ??= importWithRetry(load);
    return loading;
  };
  const approach = () => void loadOnce();
  const approaching: Approaching = { onPointerEnter: approach, onFocus: approach };
  return { Component: late(loadOnce, fallback), approaching };
}
