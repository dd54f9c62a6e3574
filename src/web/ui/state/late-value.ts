/**
 * A value of a module that is loaded apart from the first view, for components that have something to show until it is there.
 * Everything that waited for it is rendered in time slices.
 */
import { atom } from 'nanostores';
import { useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import { importWithRetry } from './import-with-retry.js';

export interface LateValue<Value> {
  /** Starts loading before there is anything to render. Loads once, however often it is called. */
  preload: () => void;
  /** The value once it is loaded, else null. */
  useValue: () => Value | null;
}

export function lateValue<Value>(load: () => Promise<Value>): LateValue<Value> {
  const loaded = atom<Value | null>(null);
  let isLoading = false;
  const preload = () => {
    if (isLoading) return;
    isLoading = true;
    void importWithRetry(load).then(loaded.set);
  };
  const useValue = () => {
    useEffect(preload);
    return useDeferredValue(useSyncExternalStore(loaded.listen, loaded.get));
  };
  return { preload, useValue };
}
