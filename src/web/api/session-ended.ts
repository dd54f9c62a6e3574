/**
 * Announces the end of the session when any request is answered with 401, with the reason that the service gives. Requests that
 * belong to an earlier session are ignored. While this tab signs out, the reason is that: the service may refuse another request
 * before it answers the sign-out.
 */
import { Signal } from '../ui/state/signal.js';

/** How a session ended: what the service says, what happened in this browser, or null if neither is known. */
export type SessionEnd =
  | 'signed_out'
  | 'expired'
  | 'member_removed'
  | 'here'
  | 'other_tab'
  /** Somebody else signed in in another tab. */
  | 'other_person'
  | null;

const saidByService: readonly SessionEnd[] = ['signed_out', 'expired', 'member_removed'];

const ended = new Signal<SessionEnd>();

let sessions = 0;

/** Requests that start from now on may belong to another session. */
export function beginSession(): void {
  sessions += 1;
}

export function announceSessionEnd(end: SessionEnd): void {
  ended.emit(isLeaving ? 'here' : end);
}

let isLeaving = false;

/** Takes a request to sign out, and gives its result. However the session ends meanwhile, it was ended here. */
export async function whileLeaving<Result>(request: Promise<Result>): Promise<Result> {
  isLeaving = true;
  try {
    return await request;
  } finally {
    isLeaving = false;
  }
}

/**
 * Call this when a request starts. Returns a function that takes its response and announces the end of the session if that
 * is a 401.
 */
export function watchSession(): (answer: Response) => Promise<void> {
  const ofRequest = sessions;
  return async (answer) => {
    if (answer.status !== 401) return;
    const end = await endIn(answer.clone());
    if (ofRequest === sessions) announceSessionEnd(end);
  };
}

/** Calls back each time the session ends. Returns a function that removes the listener. */
export const onSessionEnd = ended.on;

/** The reason in a response; null if it has none, such as one by a proxy. */
async function endIn(answer: Response): Promise<SessionEnd> {
  const body: { errors?: { extensions?: { sessionEnd?: unknown } }[] } | null = await answer.json().catch(() => null);
  const end = body?.errors?.[0]?.extensions?.sessionEnd;
  return saidByService.find((known) => known === end) ?? null;
}
