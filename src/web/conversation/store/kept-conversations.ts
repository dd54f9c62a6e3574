/**
 * The conversations that were open last, so that going back to one shows it at once. They are bounded by number and by the
 * size of their text. They are dropped when the session ends or the viewer loses access, because the next user of this page
 * must not see them.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onSessionEnd } from '../../api/session-ended.js';
import { threadHidden } from '../../api/thread-hidden.js';
import type { PendingMessage } from './conversation-state.js';
import { ConversationStore } from './conversation-store.js';
import { charactersOf } from './message-window.js';

const mostKept = 10;
const mostCharacters = 4_000_000;

/** In the order in which they were opened, the last one at the end. */
const kept = new Map<string, ConversationStore>();

/** The conversation of a thread: the one that was open before, unless it did not load or was dropped. */
function conversationOf(threadId: string): ConversationStore {
  const known = kept.get(threadId);
  const isShowable = known && ['ready', 'loading'].includes(known.getState().status);
  const store = isShowable ? known : new ConversationStore(threadId);
  kept.delete(threadId);
  kept.set(threadId, store);
  dropOldest();
  return store;
}

/** Shows the first message of a new thread in its conversation before that is loaded. */
export function beginConversation(threadId: string, { messageId, ...sent }: PendingMessage): void {
  const store = conversationOf(threadId);
  store.dispatch({ type: 'messageSent', ...sent, replaced: null });
  if (messageId) store.dispatch({ type: 'messageAccepted', key: sent.key, messageId });
}

/** The store of a conversation and its state, for components. */
export function useConversation(threadId: string, messageId: string | null) {
  const [store, setStore] = useState(() => conversationOf(threadId));
  useEffect(() => store.start(), [store]);
  useEffect(() => void store.open(messageId), [store, messageId]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return { store, state, reopen: () => setStore(conversationOf(threadId)) };
}

/** The open conversation, which is the last one, is never dropped. */
function dropOldest(): void {
  let characters = 0;
  let count = 0;
  for (const [threadId, store] of [...kept].reverse()) {
    characters += charactersOf(store.getState().newest);
    count += 1;
    if (count > 1 && (count > mostKept || characters > mostCharacters)) kept.delete(threadId);
  }
}

onSessionEnd(() => kept.clear());
threadHidden.on((threadId) => kept.delete(threadId));
