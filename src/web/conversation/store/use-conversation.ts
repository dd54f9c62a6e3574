/** The store of a conversation and its state, for components. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { conversationOf } from './kept-conversations.js';

export function useConversation(threadId: string, messageId: string | null) {
  const [store] = useState(() => conversationOf(threadId));
  useEffect(() => store.start(), [store]);
  useEffect(() => void store.open(messageId), [store, messageId]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return { store, state };
}
