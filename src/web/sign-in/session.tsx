/** Who is signed in. The service is asked once at start-up; after that, any response with 401 ends the session here. */
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { runQuery } from '../api/client.js';
import { beginSession, onSessionEnd } from '../api/session-ended.js';
import { meQuery } from '../api/settings-documents.js';
import type { Identity } from '../api/types.js';
import { renewSession } from './auth-api.js';

const renewalMs = 12 * 3_600_000;

export type Session =
  | { status: 'loading' }
  | { status: 'signedOut' }
  | { status: 'unreachable' }
  | { status: 'signedIn'; me: Identity };

export function useSession(): Session & { reload: () => void } {
  const [session, setSession] = useState<Session>({ status: 'loading' });
  const question = useRef(0);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    beginSession();
    let isRefused = false;
    const stopListening = onSessionEnd(() => {
      isRefused = true;
    });
    const outcome = await runQuery(meQuery, {});
    stopListening();
    // A later attempt may be answered first.
    if (asked !== question.current) return;
    if (outcome.ok) setSession({ status: 'signedIn', me: outcome.value.me });
    else setSession({ status: isRefused || outcome.code === 'UNAUTHENTICATED' ? 'signedOut' : 'unreachable' });
  }, []);
  useEffect(() => {
    void load();
    return onSessionEnd(() => setSession({ status: 'signedOut' }));
  }, [load]);
  const isSignedIn = session.status === 'signedIn';
  useEffect(() => {
    if (!isSignedIn) return;
    void renewSession();
    const timer = setInterval(() => void renewSession(), renewalMs);
    return () => clearInterval(timer);
  }, [isSignedIn]);
  return { ...session, reload: () => void load() };
}

const ViewerContext = createContext<Identity | null>(null);

export const Viewer = ViewerContext.Provider;

/** The user who is signed in. For components inside `Viewer` only. */
export function useViewer(): Identity {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer is used outside of Viewer.');
  return viewer;
}
