/**
 * A position in a list of threads: the sort key under which a thread was served, its id to break ties, and, for lists in
 * which threads move while they are walked, the snapshot of the walk's first page. Opaque to callers.
 */
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText, maximumCursorLength } from '../cursor-text.js';

export interface ThreadCursor {
  /** PostgreSQL's text form of the sort key, so that no digit of it is lost. */
  position: string;
  id: string;
  walk: Walk | null;
}

/** When a walk began: the snapshot of its first page, and the database's time then. */
export interface Walk {
  snapshot: string;
  startedAt: string;
}

/**
 * The cursor. A snapshot with so many transactions under way that the cursor would be too long is left out: the next page
 * then begins a walk of its own.
 */
export function encodeThreadCursor({ position, id, walk }: ThreadCursor): string {
  const place = `${position}|${id}`;
  const cursor = walk ? encodeCursorText(`${place}|${walk.snapshot}|${walk.startedAt}`) : '';
  return walk && cursor.length <= maximumCursorLength ? cursor : encodeCursorText(place);
}

/**
 * Throws an `InvalidCursorError` for whatever `encodeThreadCursor` cannot have made. What passes can be read by PostgreSQL,
 * so a cursor that somebody made up fails here and not in a statement.
 */
export function decodeThreadCursor(value: string): ThreadCursor {
  const [position = '', id = '', ...walk] = (decodeCursorText(value) ?? '').split('|');
  if (!isMoment(position) || !isId('thr', id)) throw new InvalidCursorError();
  return { position, id, walk: walk.length === 0 ? null : decodeWalk(walk) };
}

function decodeWalk([snapshot = '', startedAt = '', ...rest]: string[]): Walk {
  if (rest.length > 0 || !isSnapshot(snapshot) || !isMoment(startedAt)) throw new InvalidCursorError();
  return { snapshot, startedAt };
}

/** A moment as `momentText` writes it, of a day that exists. */
function isMoment(text: string): boolean {
  if (text === '-infinity') return true;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) || text.startsWith('0000')) return false;
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const moment = new Date(`${seconds}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(seconds);
}

/** The text form of `pg_snapshot`: `xmin:xmax:` and, in order, the transactions between them that were under way. */
export function isSnapshot(text: string): boolean {
  if (!/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/.test(text)) return false;
  const [xmin = '', xmax = '', underWay = ''] = text.split(':');
  const bounds = [xmin, ...underWay.split(',').filter((xid) => xid !== ''), xmax].map(BigInt);
  const ascends = bounds.every((xid, i) => i === 0 || xid >= (bounds[i - 1] ?? xid));
  return BigInt(xmin) > 0n && ascends && (underWay === '' || bounds.at(-1) !== bounds.at(-2));
}
