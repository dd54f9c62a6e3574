/**
 * A component that is loaded apart from the first view, as soon as the pointer or the focus reaches the control that shows
 * it. It is loaded once, however often that happens.
 */
import { type ComponentType, lazy } from 'react';
import { importWithRetry } from './import-with-retry.js';

/** The handlers of the control. */
export interface Approaching {
  onPointerEnter: () => void;
  onFocus: () => void;
}

export function loadOnApproach<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  const loadOnce = () => {
    loading ??= importWithRetry(load);
    return loading;
  };
  const approach = () => void loadOnce();
  const approaching: Approaching = { onPointerEnter: approach, onFocus: approach };
  return { Component: lazy(loadOnce), approaching };
}
