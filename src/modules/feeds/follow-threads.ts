/**
 * The feed of one viewer's threads, from any position. Each change that committed after the position comes, in whatever
 * order transactions commit, and none is lost; a thread may come more often than it changed, since an event is its
 * state and no story. Nothing is kept for a viewer who does not pull but the page that was read last, and of that nothing is
 * shown when it is old.
 */
import { ClosableIterator } from '../responses/viewing/closable-iterator.js';
import { type ChangeCursor, encodeChangeCursor } from './change-cursor.js';
import { ChangeWatch, type ChangeWatchOptions } from './change-watch.js';
import type { ChangePage } from './read-changes.js';

export type ThreadsChange<Row> =
  | { type: 'upserted'; cursor: string; thread: Row }
  | { type: 'hidden'; cursor: string; threadId: string }
  | { type: 'caughtUp'; cursor: string };

export interface FollowThreadsOptions<Row> extends ChangeWatchOptions {
  after: ChangeCursor | null;
  /** The changes after a position; null ends the feed. */
  read: (after: ChangeCursor | null) => Promise<ChangePage | null>;
  /** Those threads that the viewer may see at this moment. */
  load: (ids: string[]) => Promise<Row[]>;
  /** Its abort ends the feed at once. */
  signal: AbortSignal;
}

/**
 * The changes after a position, then once `caughtUp`, then the changes as they happen. Without a position `caughtUp` is the
 * first event: what is read after it, and what comes after it, have no gap between them.
 */
export function followThreads<Row extends { id: string }>(
  options: FollowThreadsOptions<Row>,
): AsyncIterableIterator<ThreadsChange<Row>, void, void> {
  const watch = new ChangeWatch(options);
  return new ClosableIterator({
    source: changesOf(options, watch),
    signal: options.signal,
    release: () => watch.close(),
  });
}

interface LoadedPage<Row> extends ChangePage {
  threads: Map<string, Row>;
}

async function* changesOf<Row extends { id: string }>(
  { after, read, load }: FollowThreadsOptions<Row>,
  watch: ChangeWatch,
): AsyncGenerator<ThreadsChange<Row>, void, void> {
  let isCaughtUp = false;
  let position = after;
  const look = async (): Promise<LoadedPage<Row> | null> => {
    const page = await read(position);
    return page && { ...page, threads: await loadVisible(page, load) };
  };
  for (;;) {
    const page = await watch.look(look);
    if (!page) return;
    watch.found(page.changes.length);
    for (const change of page.changes) {
      if (!watch.isFresh()) break;
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
    await watch.wait();
  }
}

/** What a follower is told of a change; nothing of a thread that was visible and could not be loaded: it has been hidden since,
 * which is another change, and comes later. */
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
