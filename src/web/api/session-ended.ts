/**
 * Announces the end of the session when any request is answered with 401. Requests that belong to an earlier session are
 * ignored.
 */
const target = new EventTarget();

let sessions = 0;

/** Requests that start from now on may belong to another session. */
export function beginSession(): void {
  sessions += 1;
}

export function announceSessionEnd(): void {
  target.dispatchEvent(new Event('ended'));
}

/**
 * Call this when a request starts. Returns a function that takes its response and announces the end of the session if that
 * is a 401.
 */
export function watchSession(): (answer: Response) => void {
  const ofRequest = sessions;
  return ({ status }) => {
    if (status === 401 && ofRequest === sessions) announceSessionEnd();
  };
}

/** Calls back each time the session ends. Returns a function that removes the listener. */
export function onSessionEnd(listener: () => void): () => void {
  target.addEventListener('ended', listener);
  return () => target.removeEventListener('ended', listener);
}
