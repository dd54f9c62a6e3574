/** Whether the live connection is open. */
import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { Signal } from '../ui/state/signal.js';

const connected = atom(true);
const reconnected = new Signal();
let hasOpened = false;

/** Called each time the connection opens. */
export function noteOpened(): void {
  setConnected(true);
  if (hasOpened) reconnected.emit();
  hasOpened = true;
}

/** Calls back whenever the connection opens again, after a failure or because nothing was followed for a while. */
export const onReconnect = reconnected.on;

export const setConnected = connected.set;

export function useConnected(): boolean {
  return useSyncExternalStore(connected.listen, connected.get);
}
