/**
 * Marks a conversation as read while its end is shown and the page is visible. What arrives in a tab in the background stays
 * unread until somebody looks.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { runMutation } from '../../api/client.js';
import { markReadMutation } from '../../api/thread-documents.js';
import { useThreadListStore } from '../../threads/store/thread-list-context.js';
import type { ConversationState } from './conversation-state.js';

export function useReadMark(threadId: string, { status, shown, newest }: ConversationState): void {
  const list = useThreadListStore();
  const isUnread = useSyncExternalStore(list.subscribe, () => list.getState().unread.has(threadId));
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const isAtEnd = shown === newest && (status === 'ready' || status === 'loading');
  const messageId = status === 'ready' && isAtEnd ? newest.messages.at(-1)?.id : undefined;
  const marked = useRef<string>(undefined);
  useEffect(() => (isVisible && isAtEnd ? list.watch(threadId) : undefined), [list, threadId, isVisible, isAtEnd]);
  useEffect(() => {
    if (!isVisible || !messageId || (marked.current === messageId && !isUnread)) return;
    marked.current = messageId;
    // Not repeated if it fails: the next message or visit marks this one too.
    void runMutation(markReadMutation, { threadId, messageId }).then((outcome) => {
      if (outcome.ok && !outcome.value.isUnread) list.noteRead(threadId);
    });
  }, [list, threadId, messageId, isVisible, isUnread]);
}

function onVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
