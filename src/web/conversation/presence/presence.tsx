/** Who else is in a thread. It is loaded when the first view of the page has had time to load, which it must not delay. */
import type { Thread } from '../../api/types.js';
import { late } from '../../ui/state/late-component.js';
import type { PresenceViewProps } from './presence-view.js';

/** In milliseconds since the page began to load. */
const firstViewMs = 5000;

const PresenceView = late(async () => {
  await new Promise((resolve) => setTimeout(resolve, firstViewMs - performance.now()));
  return import('./presence-view.js');
});

export interface PresenceProps extends Pick<PresenceViewProps, 'place'> {
  thread: Pick<Thread, 'id' | 'isPrivate'>;
}

export function Presence({ thread: { id, isPrivate }, place }: PresenceProps) {
  if (isPrivate) return null;
  return <PresenceView threadId={id} place={place} />;
}
