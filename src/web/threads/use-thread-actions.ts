/** What an owner can do with a thread, shown before the service has agreed, and taken back with a reason where it does not. */
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
    // What has come meanwhile is true already.
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

/** The fields of a change as they were. */
function asIn(thread: Thread, change: Partial<Thread>): Partial<Thread> {
  return Object.fromEntries(Object.entries(thread).filter(([field]) => field in change));
}
