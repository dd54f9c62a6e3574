/**
 * Closes the live connection of a page that has been hidden for a minute, because a browser opens only six connections to a host
 * for all of its tabs. The connection is opened again as soon as the page is visible.
 */
const idleAfterMs = 60_000;

let idle = false;
let holders = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<{ onIdle: () => void; onActive: () => void }>();

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (document.hidden) wait();
  else if (idle) setIdle(false);
});

function wait(): void {
  timer = setTimeout(() => (holders > 0 ? wait() : setIdle(true)), idleAfterMs);
}

/** Keeps the connection of a hidden page open, for something that it waits for. Returns a function that ends that. */
export function stayActive(): () => void {
  holders += 1;
  return () => {
    holders -= 1;
  };
}

function setIdle(isNowIdle: boolean): void {
  idle = isNowIdle;
  for (const { onIdle, onActive } of listeners) (isNowIdle ? onIdle : onActive)();
}

export function isIdle(): boolean {
  return idle;
}

/** Calls back when the page becomes idle and when it becomes active again. Returns a function that removes the listeners. */
export function onIdleChange(onIdle: () => void, onActive: () => void): () => void {
  const listener = { onIdle, onActive };
  listeners.add(listener);
  return () => listeners.delete(listener);
}
