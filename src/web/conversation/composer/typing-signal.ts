/** Says that somebody types a message, to what is loaded after the composer. */
const listeners = new Set<(place: string) => void>();

export function signalTyping(place: string): void {
  for (const listener of listeners) listener(place);
}

/** Calls back with the place of each draft that is typed in. Returns a function that ends that. */
export function onTyping(listener: (place: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
