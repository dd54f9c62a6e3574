/** Announces threads that the viewer may no longer see, so that nothing of them stays in memory. */
type Listener = (threadId: string) => void;

const listeners = new Set<Listener>();

export function announceThreadHidden(threadId: string): void {
  for (const listener of listeners) listener(threadId);
}

export function onThreadHidden(listener: Listener): void {
  listeners.add(listener);
}
