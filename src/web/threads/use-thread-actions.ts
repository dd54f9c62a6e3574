/**
 * The actions of the owner of a thread. A change is shown before the service has accepted it, and reverted with a reason if
 * it is refused.
 */
import { useEffect, useRef, useState } from 'react';
import { type Outcome, runMutation } from '../api/client.js';
import { archiveMutation, privacyMutation, renameMutation, unarchiveMutation } from '../api/thread-documents.js';
import type { Thread } from '../api/types.js';
import { useThreadListStore } from './store/thread-list-context.js';

export interface ThreadActions {
  rename: (name: string) => Promise<void>;
  setArchived: (archived: boolean) => Promise<void>;
  setPrivate: (isPrivate: boolean) => Promise<void>;
  problem: string | null;
}

export function useThreadActions(thread: Thread, onChanged?: (thread: Thread) => void): ThreadActions {
  const store = useThreadListStore();
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(thread);
  useEffect(() => {
    latest.current = thread;
  }, [thread]);
  const show = (shown: Thread) => {
    latest.current = shown;
    store.put(shown);
    onChanged?.(shown);
  };
  const run = async (wanted: Partial<Thread>, request: Promise<Outcome<Thread>>) => {
    show({ ...thread, ...wanted });
    const outcome = await request;
    if (outcome.ok) show(outcome.value);
    // An update that arrived meanwhile is not reverted.
    else if (latest.current.updatedAt === thread.updatedAt) show({ ...latest.current, ...asIn(thread, wanted) });
    setProblem(outcome.ok ? null : outcome.message);
  };
  const { id } = thread;
  return {
    problem,
    rename: (written) => {
      const name = written.trim() || null;
      return run({ name }, runMutation(renameMutation, { id, name }));
    },
    setArchived: (archived) => run({ archived }, runMutation(archived ? archiveMutation : unarchiveMutation, { id })),
    setPrivate: (isPrivate) => run({ isPrivate }, runMutation(privacyMutation, { id, isPrivate })),
  };
}

/** The previous values of the changed fields. */
function asIn(thread: Thread, change: Partial<Thread>): Partial<Thread> {
  return Object.fromEntries(Object.entries(thread).filter(([field]) => field in change));
}
