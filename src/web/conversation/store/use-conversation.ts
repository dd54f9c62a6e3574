/** The store of a conversation and its state, for components. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ConversationStore } from './conversation-store.js';

export function useConversation(threadId: string, messageId: string | null) {
  const [store] = useState(() => new ConversationStore(threadId));
  useEffect(() => store.start(), [store]);
  useEffect(() => void store.open(messageId), [store, messageId]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return { store, state };
}
