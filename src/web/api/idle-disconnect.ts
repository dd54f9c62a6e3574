/**
 * A page that nobody has looked at for a while needs no connection, of which a browser has only six for all of its tabs. It comes
 * back with the first look, and goes on where it was.
 */
const untilNapMs = 60_000;

let asleep = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const sleepers = new Set<{ fallAsleep: () => void; wake: () => void }>();

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(() => change(true), untilNapMs);
  else if (asleep) change(false);
});

function change(isNap: boolean): void {
  asleep = isNap;
  for (const { fallAsleep, wake } of sleepers) (isNap ? fallAsleep : wake)();
}

export function isAsleep(): boolean {
  return asleep;
}

/** Calls back when the page falls asleep, and when it wakes. Returns what takes the listeners away. */
export function onNap(fallAsleep: () => void, wake: () => void): () => void {
  const sleeper = { fallAsleep, wake };
  sleepers.add(sleeper);
  return () => sleepers.delete(sleeper);
}
