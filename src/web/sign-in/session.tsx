/**
 * Who is signed in. The service is asked once at start-up; after that, any response with 401 ends the session here, and so does
 * another tab that signs out or signs somebody else in.
 */
import { createContext, type RefObject, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { runQuery } from '../api/client.js';
import { announceSessionEnd, beginSession, onSessionEnd, type SessionEnd } from '../api/session-ended.js';
import type { Identity } from '../api/types.js';
import { meQuery } from '../api/viewer-documents.js';
import { type KnownSession, knownSession, onOtherTab, tellTabs } from './session-tabs.js';

const renewalMs = 12 * 3_600_000;

export type Session =
  | { status: 'loading' }
  | { status: 'signedOut'; end: SessionEnd }
  | { status: 'unreachable' }
  | { status: 'signedIn'; me: Identity };

export interface SessionActions {
  reload: () => void;
  /** Shows a change of the viewer. */
  change: (change: Partial<Identity>) => void;
}

export function useSession(): Session & SessionActions {
  const [session, setSession] = useState<Session>({ status: 'loading' });
  const question = useRef(0);
  const shown = useRef(session);
  const show = useCallback((next: Session) => {
    shown.current = next;
    setSession(next);
  }, []);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    beginSession();
    const answer = await whoIsSignedIn();
    // A later attempt may be answered first.
    if (asked !== question.current) return;
    if (answer.status === 'signedIn') tellTabs({ sub: answer.me.sub, end: null });
    if (answer.status === 'signedOut') tellTabs({ sub: null, end: answer.end });
    show(answer);
  }, [show]);
  useEffect(() => {
    void load();
    return onSessionEnd((reason) => {
      const { current: now } = shown;
      // A tab that was refused before it heard of the sign-out beside it took that for an end from elsewhere.
      const isLate = now.status === 'signedOut' && now.end !== 'here' && reason === 'other_tab';
      if (now.status !== 'signedIn' && !isLate) return;
      // Without a reason there was no cookie: the browser drops that of a session that has expired.
      const end = reason ?? 'expired';
      if (end !== 'other_tab' && end !== 'other_person') tellTabs({ sub: null, end });
      show({ status: 'signedOut', end });
    });
  }, [load, show]);
  useOtherTabs(shown, load);
  useRenewal(session.status === 'signedIn');
  const change = useCallback(
    (change: Partial<Identity>) => {
      const { current: now } = shown;
      if (now.status === 'signedIn') show({ ...now, me: { ...now.me, ...change } });
    },
    [show],
  );
  return { ...session, reload: () => void load(), change };
}

/** How the session ended that this browser had: one that was not ended had a cookie that has expired. */
function lastEnd({ sub, end }: KnownSession): SessionEnd {
  if (sub !== null) return 'expired';
  return end === 'here' ? null : end;
}

/** Asks the service. */
async function whoIsSignedIn(): Promise<Session> {
  const known = knownSession();
  let isRefused = false;
  let end: SessionEnd = null;
  const stopListening = onSessionEnd((reason) => {
    isRefused = true;
    end = reason;
  });
  const outcome = await runQuery(meQuery, {});
  stopListening();
  if (outcome.ok) {
    const { me, models } = outcome.value;
    return { status: 'signedIn', me: { ...me, models } };
  }
  if (!isRefused && outcome.code !== 'UNAUTHENTICATED') return { status: 'unreachable' };
  return { status: 'signedOut', end: end ?? lastEnd(known) };
}

function useOtherTabs(shown: RefObject<Session>, load: () => Promise<void>): void {
  useEffect(() => {
    const follow = ({ sub, end }: KnownSession) => {
      const { current: now } = shown;
      if (now.status === 'signedOut' && sub !== null) void load();
      const isEnded = now.status === 'signedIn' ? now.me.sub !== sub : now.status === 'signedOut' && end === 'here';
      if (isEnded) announceSessionEnd(endHere({ sub, end }));
    };
    return onOtherTab(follow);
  }, [shown, load]);
}

/** What the change of another tab is to this one. */
function endHere({ sub, end }: KnownSession): SessionEnd {
  if (sub !== null) return 'other_person';
  return end === 'here' ? 'other_tab' : end;
}

/** A session lasts thirty days from its last renewal. A failure is ignored, since the next renewal is soon enough. */
function useRenewal(isSignedIn: boolean): void {
  useEffect(() => {
    if (!isSignedIn) return;
    const renew = () => void fetch('/auth/get-session').catch(() => null);
    renew();
    const timer = setInterval(renew, renewalMs);
    return () => clearInterval(timer);
  }, [isSignedIn]);
}

const ViewerContext = createContext<Identity | null>(null);
const ChangeContext = createContext<SessionActions['change']>(() => undefined);

export const Viewer = ViewerContext.Provider;
export const ViewerChange = ChangeContext.Provider;

/** Shows a change of the viewer. */
export function useViewerChange(): SessionActions['change'] {
  return useContext(ChangeContext);
}

/** The user who is signed in. For components inside `Viewer` only. */
export function useViewer(): Identity {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer is used outside of Viewer.');
  return viewer;
}
