/** Whether the live connection is open. */
import { useSyncExternalStore } from 'react';

let connected = true;
let hasOpened = false;
const listeners = new Set<() => void>();
const returnListeners = new Set<() => void>();

/** Called each time the connection opens. */
export function noteOpened(): void {
  setConnected(true);
  if (hasOpened) for (const listener of returnListeners) listener();
  hasOpened = true;
}

/**
 * Calls back whenever the connection opens again, after a failure or because nothing was followed for a while. Returns a function
 * that removes the listener.
 */
export function onReconnect(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => void returnListeners.delete(listener);
}

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
