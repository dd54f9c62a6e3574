/**
 * A position in the feed of changed threads. It says what its owner has seen (`since`), and, in the middle of several pages,
 * how far the present ones were read. Opaque to callers; it does not expire.
 */
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';
import { isSnapshot } from '../threads/thread-cursor.js';

export interface ChangeCursor {
  /** In which history of the database the numbers of the snapshots count. */
  history: string;
  /** The snapshot up to which everything was seen. */
  since: string;
  walk: ChangeWalk | null;
}

/** Pages that go from `since` to `until`, read up to a change and its thread. */
export interface ChangeWalk {
  until: string;
  xid: string;
  threadId: string;
}

export function encodeChangeCursor({ history, since, walk }: ChangeCursor): string {
  const parts = walk ? [history, since, walk.until, walk.xid, walk.threadId] : [history, since];
  return encodeCursorText(parts.join('|'));
}

/** Throws an `InvalidCursorError` for whatever `encodeChangeCursor` cannot have made; what passes can be read by PostgreSQL. */
export function decodeChangeCursor(value: string): ChangeCursor {
  const [history = '', since = '', ...walk] = (decodeCursorText(value) ?? '').split('|');
  if (!/^[\w.-]{1,100}$/.test(history) || !isSnapshot(since)) throw new InvalidCursorError();
  return { history, since, walk: walk.length === 0 ? null : decodeWalk(walk) };
}

function decodeWalk([until = '', xid = '', threadId = '', ...rest]: string[]): ChangeWalk {
  const isWalk = isSnapshot(until) && /^\d{1,18}$/.test(xid) && isId('thr', threadId) && rest.length === 0;
  if (!isWalk) throw new InvalidCursorError();
  return { until, xid, threadId };
}
