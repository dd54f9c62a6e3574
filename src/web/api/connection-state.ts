/** Whether the live connection is open. */
import { useSyncExternalStore } from 'react';

let connected = true;
const listeners = new Set<() => void>();

export function setConnected(value: boolean): void {
  if (value === connected) return;
  connected = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnected(): boolean {
  return useSyncExternalStore(subscribe, () => connected);
}
