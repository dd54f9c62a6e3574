/**
 * Follows one thread for a viewer: its present state, and again after each change. It is read when the viewer is ready,
 * so several changes may be combined, but the last one is never lost. It ends when the viewer may no longer see the
 * thread.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { isId } from '../../ids.js';
import { CancellableStream, type Ending } from '../../platform/async/cancellable-stream.js';
import type { Viewer } from '../identity/authenticate.js';
import { tokenLivesSql } from '../identity/tokens/living-token.js';
import { visibleToSql } from '../threads/visibility.js';
import { FeedSubscription, type FeedSubscriptionOptions } from './feed-subscription.js';

export interface FollowThreadOptions<Row> extends FeedSubscriptionOptions {
  /** The version of the thread; null if the viewer may not see it. */
  readVersion: () => Promise<string | null>;
  /** Loads the thread and its version; null if it is hidden by now. */
  load: () => Promise<{ version: string; thread: Row } | null>;
  /** What ends it at once. */
  endings: readonly Ending[];
}

export function followThread<Row>(options: FollowThreadOptions<Row>): AsyncIterableIterator<Row, void, void> {
  const subscription = new FeedSubscription(options);
  const versions = versionsOf(options, subscription);
  return new CancellableStream({
    next: () => versions.next(),
    endings: options.endings,
    release: () => subscription.close(),
  });
}

async function* versionsOf<Row>(
  { readVersion, load }: FollowThreadOptions<Row>,
  subscription: FeedSubscription,
): AsyncGenerator<Row, void, void> {
  let shown: string | undefined;
  const readChange = async () => {
    const version = await readVersion();
    return version === null ? null : { version, loaded: version === shown ? null : await load() };
  };
  for (;;) {
    const found = await subscription.read(readChange);
    if (!found) return;
    const { version, loaded } = found;
    if (loaded && loaded.version !== shown) {
      shown = loaded.version;
      yield loaded.thread;
    }
    // A version that could not be loaded is checked again: the thread was hidden.
    if (loaded || version === shown) await subscription.wait();
  }
}

/** The version of a thread. Null if it does not exist or is hidden, or the viewer's token has ended. */
export async function readThreadVersion(database: PrismaClient, viewer: Viewer, id: string): Promise<string | null> {
  if (!isId('thr', id)) return null;
  const [row] = await database.$queryRaw<{ version: string }[]>`
    SELECT t.changed_xid::text AS version FROM thread t
    WHERE t.id = ${id} AND ${visibleToSql(viewer)} AND ${tokenLivesSql(viewer)}`;
  return row?.version ?? null;
}
