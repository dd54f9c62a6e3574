/**
 * A position in the feed of changed threads: what the subscriber has seen (`since`) and, between the pages of one read,
 * how far that read got. Opaque to callers. It never expires.
 */
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';
import { isSnapshot } from '../threads/list/thread-cursor.js';

export interface ChangeCursor {
  /** The history of the database that the snapshots belong to; a restored backup starts a new one. */
  history: string;
  /** Everything that this snapshot sees was sent. */
  since: string;
  pagination: ChangePagination | null;
}

/** A read of several pages from `since` to `until`, which got as far as this transaction and thread. */
export interface ChangePagination {
  until: string;
  xid: string;
  threadId: string;
}

export function encodeChangeCursor({ history, since, pagination }: ChangeCursor): string {
  const parts = pagination ? [history, since, pagination.until, pagination.xid, pagination.threadId] : [history, since];
  return encodeCursorText(parts.join('|'));
}

/** Throws an `InvalidCursorError` for any text that `encodeChangeCursor` cannot have produced. */
export function decodeChangeCursor(value: string): ChangeCursor {
  const [history = '', since = '', ...pagination] = (decodeCursorText(value) ?? '').split('|');
  if (!/^[\w.-]{1,100}$/.test(history) || !isSnapshot(since)) throw new InvalidCursorError();
  return { history, since, pagination: pagination.length === 0 ? null : decodePagination(pagination) };
}

function decodePagination([until = '', xid = '', threadId = '', ...rest]: string[]): ChangePagination {
  const isValid = isSnapshot(until) && /^\d{1,18}$/.test(xid) && isId('thr', threadId) && rest.length === 0;
  if (!isValid) throw new InvalidCursorError();
  return { until, xid, threadId };
}
