/**
 * Tells the application that the service no longer knows the session, whichever request was the one to find out. A request of
 * the session before says nothing of the one that has begun since.
 */
const target = new EventTarget();

let sessions = 0;

/** From now on requests may be of another session. */
export function beginSession(): void {
  sessions += 1;
}

export function announceSessionEnd(): void {
  target.dispatchEvent(new Event('ended'));
}

/** To be called when a request leaves. Gives what takes its answer, and announces the end where that is a refusal. */
export function watchSession(): (answer: Response) => void {
  const ofRequest = sessions;
  return ({ status }) => {
    if (status === 401 && ofRequest === sessions) announceSessionEnd();
  };
}

/** Calls back each time a request was refused for want of a session. Returns what takes the listener away. */
export function onSessionEnd(listener: () => void): () => void {
  target.addEventListener('ended', listener);
  return () => target.removeEventListener('ended', listener);
}
