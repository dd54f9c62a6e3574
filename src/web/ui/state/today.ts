/** What day it is for the reader, also after midnight and after a night in which the computer slept. */
import { useSyncExternalStore } from 'react';

/** The day as a text that is another one each day. */
export function useToday(): string {
  return useSyncExternalStore(watch, today);
}

function today(): string {
  return new Date().toDateString();
}

function watch(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const now = new Date();
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    timer = setTimeout(next, midnight.getTime() - now.getTime());
  };
  const next = () => {
    clearTimeout(timer);
    onChange();
    wait();
  };
  wait();
  // Timers stand still while the computer sleeps.
  document.addEventListener('visibilitychange', next);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', next);
  };
}
