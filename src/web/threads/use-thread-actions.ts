/** What an owner can do with a thread, shown before the service has agreed, and taken back with a reason where it does not. */
import { useState } from 'react';
import { change, type Outcome } from '../api/client.js';
import { archiveMutation, privacyMutation, renameMutation, unarchiveMutation } from '../api/thread-documents.js';
import type { Thread } from '../api/types.js';
import { useThreadListStore } from './thread-list-context.js';

export interface ThreadActions {
  rename: (name: string) => Promise<void>;
  setArchived: (archived: boolean) => Promise<void>;
  setPrivate: (isPrivate: boolean) => Promise<void>;
  problem: string | null;
}

export function useThreadActions(thread: Thread, onChanged?: (thread: Thread) => void): ThreadActions {
  const store = useThreadListStore();
  const [problem, setProblem] = useState<string | null>(null);
  const show = (shown: Thread) => {
    store.put(shown);
    onChanged?.(shown);
  };
  const run = async (wanted: Thread, request: Promise<Outcome<Thread>>) => {
    show(wanted);
    const outcome = await request;
    show(outcome.ok ? outcome.value : thread);
    setProblem(outcome.ok ? null : outcome.message);
  };
  const { id } = thread;
  return {
    problem,
    rename: (written) => {
      const name = written.trim() || null;
      return run({ ...thread, name }, change(renameMutation, { id, name }));
    },
    setArchived: (archived) =>
      run({ ...thread, archived }, change(archived ? archiveMutation : unarchiveMutation, { id })),
    setPrivate: (isPrivate) => run({ ...thread, isPrivate }, change(privacyMutation, { id, isPrivate })),
  };
}
