/**
 * Closes the live connection of a page that has been hidden for a minute, because a browser opens only six connections to a host
 * for all of its tabs. The connection is opened again as soon as the page is visible.
 */
import { atom } from 'nanostores';

const idleAfterMs = 60_000;

const idle = atom(false);
let holders = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (document.hidden) wait();
  else idle.set(false);
});

function wait(): void {
  timer = setTimeout(() => (holders > 0 ? wait() : idle.set(true)), idleAfterMs);
}

/** Keeps the connection of a hidden page open, for something that it waits for. Returns a function that ends that. */
export function stayActive(): () => void {
  holders += 1;
  return () => {
    holders -= 1;
  };
}

export const isIdle = idle.get;

/** Calls back when the page becomes idle and when it becomes active again. */
export const onIdleChange = idle.listen;
