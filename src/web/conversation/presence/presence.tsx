/**
 * Who else is in a thread, in its header and below its messages. In a private thread there is nobody. It is loaded when the
 * first view of the page has had time to load, which it must not delay.
 */
import { lazy, Suspense } from 'react';
import type { Thread } from '../../api/types.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';
import type { PresenceViewProps } from './presence-view.js';

/** In milliseconds since the page began to load. */
const firstViewMs = 5000;

const PresenceView = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, firstViewMs - performance.now()));
  return importWithRetry(() => import('./presence-view.js'));
});

export interface PresenceProps extends Pick<PresenceViewProps, 'place'> {
  thread: Pick<Thread, 'id' | 'isPrivate'>;
}

export function Presence({ thread: { id, isPrivate }, place }: PresenceProps) {
  if (isPrivate) return null;
  return (
    <Suspense fallback={null}>
      <PresenceView threadId={id} place={place} />
    </Suspense>
  );
}
