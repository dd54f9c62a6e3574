/** The list of threads of the application, which a component that changes a thread can update at once. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Thread } from '../../api/types.js';
import { useViewer } from '../../sign-in/session.js';
import type { ArchivingState } from './thread-archiving.js';
import type { ThreadListState } from './thread-list-state.js';
import { ThreadListStore } from './thread-list-store.js';

const Context = createContext<ThreadListStore | null>(null);

export function ThreadListProvider({ children }: { children: ReactNode }) {
  const { sub } = useViewer();
  const [store] = useState(() => new ThreadListStore(sub));
  useEffect(() => store.start(), [store]);
  return <Context value={store}>{children}</Context>;
}

export function useThreadListStore(): ThreadListStore {
  const store = useContext(Context);
  if (!store) throw new Error('useThreadListStore is used outside of ThreadListProvider.');
  return store;
}

export function useThreadList(): ThreadListState {
  const store = useThreadListStore();
  return useSyncExternalStore(store.subscribe, store.getState);
}

export function useArchiving(): ArchivingState {
  const { archiving } = useThreadListStore();
  return useSyncExternalStore(archiving.subscribe, archiving.getState);
}

/** A thread of the list, if it is in the part that is loaded. */
export function useListedThread(threadId: string): Thread | null {
  const store = useThreadListStore();
  return useSyncExternalStore(store.subscribe, () => store.find(threadId));
}
