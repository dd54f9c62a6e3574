/**
 * Follows the threads of a viewer from any position. Every change committed after the position is delivered, in
 * whatever order transactions commit. A thread may be delivered more often than it changed, since an event is a state
 * and not a delta. For a viewer who does not read, only the last page is kept, and it is discarded when it is old.
 */
import { CancellableStream, type Ending } from '../../platform/async/cancellable-stream.js';
import { type ChangeCursor, encodeChangeCursor } from './change-cursor.js';
import { FeedSubscription, type FeedSubscriptionOptions } from './feed-subscription.js';
import type { ChangePage } from './read-changes.js';

export type ThreadsChange<Row> =
  | { type: 'upserted'; cursor: string; thread: Row }
  | { type: 'hidden'; cursor: string; threadId: string }
  | { type: 'caughtUp'; cursor: string };

export interface FollowThreadsOptions<Row> extends FeedSubscriptionOptions {
  after: ChangeCursor | null;
  /** Reads the changes after a position; null ends the feed. */
  read: (after: ChangeCursor | null) => Promise<ChangePage | null>;
  /** Loads those of the threads that the viewer may see now. */
  load: (ids: string[]) => Promise<Row[]>;
  /** What ends the feed at once. */
  endings: readonly Ending[];
}

/**
 * Yields the changes after a position, then `caughtUp` once, then live changes. Without a position, `caughtUp` is the
 * first event: there is no gap between what the viewer reads after it and the following events.
 */
export function followThreads<Row extends { id: string }>(
  options: FollowThreadsOptions<Row>,
): AsyncIterableIterator<ThreadsChange<Row>, void, void> {
  const subscription = new FeedSubscription(options);
  const changes = changesOf(options, subscription);
  return new CancellableStream({
    next: () => changes.next(),
    endings: options.endings,
    release: () => subscription.close(),
  });
}

interface LoadedPage<Row> extends ChangePage {
  threads: Map<string, Row>;
}

async function* changesOf<Row extends { id: string }>(
  { after, read, load }: FollowThreadsOptions<Row>,
  subscription: FeedSubscription,
): AsyncGenerator<ThreadsChange<Row>, void, void> {
  let isCaughtUp = false;
  let isBehind = after !== null;
  let position = after;
  const readPage = async (): Promise<LoadedPage<Row> | null> => {
    const page = await read(position);
    return page && { ...page, threads: await loadVisible(page, load) };
  };
  for (;;) {
    const page = await subscription.read(readPage, { isBehind, changesIn: ({ changes }) => changes.length });
    if (!page) return;
    isBehind = !page.isLast;
    for (const change of page.changes) {
      if (!subscription.isFresh) break;
      position = change.cursor;
      yield* shown(change, page.threads.get(change.threadId));
    }
    if (page.changes.length > 0 && position !== page.next) continue;
    position = page.next;
    if (!page.isLast) continue;
    if (!isCaughtUp) {
      isCaughtUp = true;
      yield { type: 'caughtUp', cursor: encodeChangeCursor(position) };
    }
    await subscription.wait();
  }
}

/**
 * The events for a change. A visible thread that could not be loaded has none: it was hidden since, which is a later
 * change.
 */
function* shown<Row>(
  { threadId, isVisible, cursor }: ChangePage['changes'][number],
  thread: Row | undefined,
): Generator<ThreadsChange<Row>, void, void> {
  if (thread) yield { type: 'upserted', cursor: encodeChangeCursor(cursor), thread };
  else if (!isVisible) yield { type: 'hidden', cursor: encodeChangeCursor(cursor), threadId };
}

async function loadVisible<Row extends { id: string }>(
  { changes }: ChangePage,
  load: (ids: string[]) => Promise<Row[]>,
): Promise<Map<string, Row>> {
  const ids = changes.filter(({ isVisible }) => isVisible).map(({ threadId }) => threadId);
  const rows = ids.length === 0 ? [] : await load(ids);
  return new Map(rows.map((row) => [row.id, row]));
}
