/**
 * One thread for one viewer: as it is, and again whenever it has changed. It is read when the viewer is ready for it, so
 * several changes in a row may come as one, and the last of them always comes. It ends when the viewer may see it no more.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { isId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import { tokenLivesSql } from '../identity/living-token.js';
import { ClosableIterator } from '../responses/viewing/closable-iterator.js';
import { visibleToSql } from '../threads/visibility.js';
import { ChangeWatch, type ChangeWatchOptions } from './change-watch.js';

export interface FollowThreadOptions<Row> extends ChangeWatchOptions {
  /** Names the last change of the thread; null where the viewer may not see it (any more). */
  readVersion: () => Promise<string | null>;
  /** The thread, with the change that it shows; null where it is hidden by now. */
  load: () => Promise<{ version: string; thread: Row } | null>;
  /** Its abort ends it at once. */
  signal: AbortSignal;
}

export function followThread<Row>(options: FollowThreadOptions<Row>): AsyncIterableIterator<Row, void, void> {
  const watch = new ChangeWatch(options);
  return new ClosableIterator({
    source: versionsOf(options, watch),
    signal: options.signal,
    release: () => watch.close(),
  });
}

async function* versionsOf<Row>(
  { readVersion, load }: FollowThreadOptions<Row>,
  watch: ChangeWatch,
): AsyncGenerator<Row, void, void> {
  let shown: string | undefined;
  const look = async () => {
    const version = await readVersion();
    return version === null ? null : { version, loaded: version === shown ? null : await load() };
  };
  for (;;) {
    const found = await watch.look(look);
    if (!found) return;
    const { version, loaded } = found;
    if (loaded && loaded.version !== shown) {
      shown = loaded.version;
      yield loaded.thread;
    }
    // One that was seen and could not be loaded is looked at again: it is hidden now.
    if (loaded || version === shown) await watch.wait();
  }
}

/** The last change of a thread. Null where there is none such or it is hidden, and where the viewer's token has ended. */
export async function readThreadVersion(database: PrismaClient, viewer: Viewer, id: string): Promise<string | null> {
  if (!isId('thr', id)) return null;
  const [row] = await database.$queryRaw<{ version: string }[]>`
    SELECT t.changed_xid::text AS version FROM thread t
    WHERE t.id = ${id} AND ${visibleToSql(viewer)} AND ${tokenLivesSql(viewer)}`;
  return row?.version ?? null;
}
