/**
 * Follows who else is in a thread, and counts as reading it for as long. Each event is the whole list, which replaces
 * the one before it; changes in quick succession are combined. It ends when the viewer may no longer see the thread.
 */
import { CancellableStream, type Ending } from '../../platform/async/cancellable-stream.js';
import type { Principal } from '../../platform/fairness/principal.js';
import { FeedSubscription } from '../feeds/feed-subscription.js';
import type { Presence } from './presence.js';
import type { PeopleInThread } from './read-present.js';
import type { PresentUser } from './roster.js';

export interface FollowPresenceOptions {
  presence: Presence;
  /** The viewer, who is not in the list. */
  principal: Principal;
  threadId: string;
  /** Names the users; null if the viewer may not see the thread. */
  read: (users: PresentUser[]) => Promise<PeopleInThread | null>;
  /** What ends it at once. */
  endings: readonly Ending[];
}

/** The minimum time between two events. */
const gapMs = 300;
/** Access is checked by other means, and names seldom change. */
const recheckMs = 60_000;

export function followPresence(options: FollowPresenceOptions): AsyncIterableIterator<PeopleInThread, void, void> {
  const { presence, principal, threadId, endings } = options;
  const subscription = new FeedSubscription({
    ...{ signals: presence.signals, principal, topic: threadId },
    ...{ gapMs, recheckMs },
  });
  const leave = presence.enter({ threadId, userId: principal.userId });
  const lists = listsOf(options, subscription);
  return new CancellableStream({
    next: () => lists.next(),
    endings,
    release: () => {
      leave();
      subscription.close();
    },
  });
}

async function* listsOf(
  { presence, principal, threadId, read }: FollowPresenceOptions,
  subscription: FeedSubscription,
): AsyncGenerator<PeopleInThread, void, void> {
  let shown: string | undefined;
  const readOthers = () => read(presence.peopleIn(threadId).filter(({ userId }) => userId !== principal.userId));
  for (;;) {
    const found = await subscription.read(readOthers);
    if (!found) return;
    const list = JSON.stringify(found);
    if (list !== shown) {
      shown = list;
      yield found;
    }
    await subscription.wait();
  }
}
