/**
 * A position in a list of threads: the sort key under which a thread was returned, its id to break ties and, for lists
 * in which threads move while a client pages through them, the snapshot of the first page. Opaque to callers.
 */
import { InvalidCursorError } from '../../../errors.js';
import { isId } from '../../../ids.js';
import { decodeCursorText, encodeCursorText, maximumCursorLength } from '../../cursor-text.js';

export interface ThreadCursor {
  /** The sort key as PostgreSQL's text, which keeps all digits. */
  position: string;
  id: string;
  pagination: PaginationSnapshot | null;
}

/** The database snapshot and time of the first page, which all later pages refer to. */
export interface PaginationSnapshot {
  snapshot: string;
  startedAt: string;
}

/**
 * Encodes the cursor. Omits a snapshot with so many transactions in progress that the cursor would be too long: the
 * next page then starts with a snapshot of its own.
 */
export function encodeThreadCursor({ position, id, pagination }: ThreadCursor): string {
  const place = `${position}|${id}`;
  const cursor = pagination ? encodeCursorText(`${place}|${pagination.snapshot}|${pagination.startedAt}`) : '';
  return pagination && cursor.length <= maximumCursorLength ? cursor : encodeCursorText(place);
}

/**
 * Throws an `InvalidCursorError` for any text that `encodeThreadCursor` cannot have produced, so that a forged cursor
 * fails here and not in a statement.
 */
export function decodeThreadCursor(value: string): ThreadCursor {
  const [position = '', id = '', ...pagination] = (decodeCursorText(value) ?? '').split('|');
  if (!isMoment(position) || !isId('thr', id)) throw new InvalidCursorError();
  return { position, id, pagination: pagination.length === 0 ? null : decodePagination(pagination) };
}

function decodePagination([snapshot = '', startedAt = '', ...rest]: string[]): PaginationSnapshot {
  if (rest.length > 0 || !isSnapshot(snapshot) || !isMoment(startedAt)) throw new InvalidCursorError();
  return { snapshot, startedAt };
}

/** Whether the text is a valid timestamp in the format of `momentText`. */
function isMoment(text: string): boolean {
  if (text === '-infinity') return true;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) || text.startsWith('0000')) return false;
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const moment = new Date(`${seconds}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(seconds);
}

/** Whether the text is a `pg_snapshot`: `xmin:xmax:` and, in order, the transactions in progress between them. */
export function isSnapshot(text: string): boolean {
  if (!/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/.test(text)) return false;
  const [xmin = '', xmax = '', underWay = ''] = text.split(':');
  const bounds = [xmin, ...underWay.split(',').filter((xid) => xid !== ''), xmax].map(BigInt);
  const ascends = bounds.every((xid, i) => i === 0 || xid >= (bounds[i - 1] ?? xid));
  return BigInt(xmin) > 0n && ascends && (underWay === '' || bounds.at(-1) !== bounds.at(-2));
}
