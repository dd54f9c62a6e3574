/** Tells the application that the service no longer knows the session, whichever request was the one to find out. */
const target = new EventTarget();

export function announceSessionEnd(): void {
  target.dispatchEvent(new Event('ended'));
}

/** Calls back each time a request was refused for want of a session. Returns what takes the listener away. */
export function onSessionEnd(listener: () => void): () => void {
  target.addEventListener('ended', listener);
  return () => target.removeEventListener('ended', listener);
}
