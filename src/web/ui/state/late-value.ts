/**
 * A value of a module that is loaded apart from the first view, for components that have something to show until it is there.
 * Everything that waited for it is rendered in a transition, in time slices.
 */
import { startTransition, useEffect, useState } from 'react';
import { importWithRetry } from './import-with-retry.js';
import { Signal } from './signal.js';

export interface LateValue<Value> {
  /** Starts loading before there is anything to render. Loads once, however often it is called. */
  preload: () => void;
  /** The value once it is loaded, else null. */
  useValue: () => Value | null;
}

export function lateValue<Value>(load: () => Promise<Value>): LateValue<Value> {
  let loaded: Value | null = null;
  let isLoading = false;
  const arrival = new Signal();
  const preload = () => {
    if (isLoading) return;
    isLoading = true;
    void importWithRetry(load).then((value) => {
      loaded = value;
      arrival.emit();
    });
  };
  const useValue = () => {
    const [found, setFound] = useState(() => loaded);
    useEffect(() => {
      if (found) return;
      const take = () => startTransition(() => setFound(() => loaded));
      const stop = arrival.on(take);
      preload();
      // It may have been loaded since this was rendered.
      if (loaded) take();
      return stop;
    }, [found]);
    return found;
  };
  return { preload, useValue };
}
