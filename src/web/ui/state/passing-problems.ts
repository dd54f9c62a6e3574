/** What is said of failures that pass by themselves, so that nobody reads it any longer when they have passed. */

import { onReconnect } from '../../api/connection-state.js';
import { Signal } from './signal.js';

const untilReconnect = new Set<string>();
const passed = new Signal<string>();

/** Calls back with each message that is no longer true. */
export const onPassed = passed.on;

/** Notes that a message is true for some seconds or, without them, until the connection opens again. */
export function notePassing(message: string, seconds: number | null): void {
  if (seconds === null) untilReconnect.add(message);
  else setTimeout(() => passed.emit(message), seconds * 1000);
}

onReconnect(() => {
  for (const message of untilReconnect) passed.emit(message);
});
