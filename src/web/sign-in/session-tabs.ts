/**
 * Tells the other tabs of this browser who is signed in, so that none of them goes on with the session of before: they share the
 * cookie. What is kept also tells a later start that a session has ended since, whose cookie the browser has dropped.
 */
import type { SessionEnd } from '../api/session-ended.js';
import { storeIfRoom } from '../ui/state/store-if-room.js';

const key = 'skein.session';

export interface KnownSession {
  /** The user who is signed in. */
  sub: string | null;
  /** How the session of the last one ended. */
  end: SessionEnd;
}

/** Other tabs learn of it unless they know it already. */
export function tellTabs({ sub, end }: KnownSession): void {
  storeIfRoom(key, JSON.stringify({ sub, end }));
}

export function knownSession(): KnownSession {
  return parse(localStorage.getItem(key));
}

/** Calls back when another tab signs in or out. Returns a function that removes the listener. */
export function onOtherTab(listener: (known: KnownSession) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.storageArea === localStorage && event.key === key) listener(parse(event.newValue));
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

function parse(stored: string | null): KnownSession {
  try {
    const { sub = null, end = null } = JSON.parse(stored ?? '{}') as Partial<KnownSession>;
    return { sub, end };
  } catch {
    // Somebody wrote it by hand: nothing is known.
    return { sub: null, end: null };
  }
}
