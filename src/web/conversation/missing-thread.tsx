/** Shown in place of a conversation that the viewer cannot see, until the list of threads gets its thread: somebody has shared it. */
import { useEffect, useRef } from 'react';
import NotFoundPage from '../shell/not-found-page.js';
import { useListedThread } from '../threads/store/thread-list-context.js';

export default function MissingThread({ threadId, onShared }: { threadId: string; onShared: () => void }) {
  const isListed = useListedThread(threadId) !== null;
  const wasListed = useRef(isListed);
  useEffect(() => {
    // The conversation may hear before the list does that the thread is hidden.
    if (isListed && !wasListed.current) onShared();
    wasListed.current = isListed;
  }, [isListed, onShared]);
  return <NotFoundPage what="thread" />;
}
