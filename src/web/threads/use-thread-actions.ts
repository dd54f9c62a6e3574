/**
 * The actions on a thread. A change by its owner is shown before the service has accepted it, and reverted with a reason if
 * it is refused.
 */
import { useEffect, useRef } from 'react';
import { type Outcome, runMutation } from '../api/client.js';
import {
  archiveMutation,
  pinMutation,
  privacyMutation,
  renameMutation,
  unarchiveMutation,
  unpinMutation,
} from '../api/thread-documents.js';
import type { Thread } from '../api/types.js';
import { importWithRetry } from '../ui/state/import-with-retry.js';
import { useProblem } from '../ui/state/use-problem.js';
import type { ExportForm } from './export/thread-export.js';
import { useThreadListStore } from './store/thread-list-context.js';

export interface ThreadActions {
  rename: (name: string) => Promise<void>;
  setArchived: (archived: boolean) => Promise<void>;
  setPrivate: (isPrivate: boolean) => Promise<void>;
  /** Keeps the thread at the top of the viewer's list, whoever owns it, or no longer. */
  setPinned: (isPinned: boolean) => Promise<void>;
  /** Saves the thread as a file, for everybody who can read it. */
  download: (form: ExportForm) => Promise<void>;
  problem: string | null;
}

export function useThreadActions(thread: Thread, onChanged?: (thread: Thread) => void): ThreadActions {
  const store = useThreadListStore();
  const [problem, setProblem] = useProblem();
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
      // What the model calls the thread, where the name is removed, comes with the outcome.
      return run({ name, title: name ?? thread.title }, runMutation(renameMutation, { id, name }));
    },
    setArchived: async (archived) => {
      await run({ archived }, runMutation(archived ? archiveMutation : unarchiveMutation, { id }));
      if (latest.current.archived === archived) store.archiving.note([latest.current], archived);
    },
    setPrivate: (isPrivate) => run({ isPrivate }, runMutation(privacyMutation, { id, isPrivate })),
    setPinned: async (isPinned) => {
      // Not shown before: the row moves, and could not say why it moves back.
      const outcome = await runMutation(isPinned ? pinMutation : unpinMutation, { id });
      setProblem(outcome.ok ? null : outcome.message);
      if (!outcome.ok) return;
      show(outcome.value);
      store.notePinned(outcome.value);
    },
    download: async (form) => {
      setProblem(null);
      const { exportThread } = await importWithRetry(() => import('./export/thread-export.js'));
      setProblem(await exportThread(thread, form));
    },
  };
}

/** The previous values of the changed fields. */
function asIn(thread: Thread, change: Partial<Thread>): Partial<Thread> {
  return Object.fromEntries(Object.entries(thread).filter(([field]) => field in change));
}
