/** The conversation of a thread for the components that show it, and what can be done in it. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ConversationStore } from './conversation-store.js';

export function useConversation(threadId: string) {
  const [store] = useState(() => new ConversationStore(threadId));
  useEffect(() => store.start(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return { store, state };
}
