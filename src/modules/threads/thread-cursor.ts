/**
 * A position in a list of threads: the sort key under which a thread was served, its id to break ties, and, for lists in
 * which threads move while they are walked, the snapshot of the walk's first page. Opaque to callers.
 */
import { InvalidCursorError } from '../../errors.js';

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

export function encodeThreadCursor({ position, id, walk }: ThreadCursor): string {
  const parts = walk ? [position, id, walk.snapshot, walk.startedAt] : [position, id];
  return Buffer.from(parts.join('|')).toString('base64url');
}

/** Throws an `InvalidCursorError` for whatever `encodeThreadCursor` did not make. */
export function decodeThreadCursor(value: string): ThreadCursor {
  const [position = '', id = '', snapshot, startedAt, ...rest] = Buffer.from(value, 'base64url').toString().split('|');
  const walk = snapshot !== undefined && startedAt !== undefined ? { snapshot, startedAt } : null;
  const valid =
    rest.length === 0 &&
    moment.test(position) &&
    /^thr_[0-9a-z]{26}$/.test(id) &&
    (walk ? snapshotForm.test(walk.snapshot) && moment.test(walk.startedAt) : snapshot === undefined);
  if (!valid) throw new InvalidCursorError();
  return { position, id, walk };
}

const moment = /^(-infinity|\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+00)$/;
const snapshotForm = /^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/;
