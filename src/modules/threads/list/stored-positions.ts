/**
 * Which positions this process has stored within the last minute, so that a client who reads the same page again and again
 * causes no write each time. A first page has a new snapshot whenever it is read; the older one serves as well while no
 * thread of the list has moved since, which the newest thread of the page tells.
 */
import type { ThreadCursor } from './thread-cursor.js';

/** A crash of PostgreSQL may lose what was stored, so each position is stored again after this time. */
const lifetimeMs = 60_000;

/** Transactions that were in progress at a snapshot, and the part of a second that is not compared. */
const marginMs = 61_000;

const maximum = 5_000;

interface Stored extends ThreadCursor {
  untilMs: number;
}

export class StoredPositions {
  /** By user, order and thread, the first stored first. */
  readonly #stored = new Map<string, Stored>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether what is stored serves as well as the cursor. `newest` is the first position of a first page, else null. */
  hasOneFor(key: string, { position, pagination }: ThreadCursor, newest: string | null): boolean {
    const stored = this.#stored.get(key);
    if (!stored || stored.untilMs < this.#now() || stored.position !== position) return false;
    const { pagination: former } = stored;
    if (!former || !pagination) return former === pagination;
    return (
      former.snapshot === pagination.snapshot || (newest !== null && msOf(newest) + marginMs < msOf(former.startedAt))
    );
  }

  add(key: string, cursor: ThreadCursor): void {
    this.#stored.delete(key);
    this.#stored.set(key, { ...cursor, untilMs: this.#now() + lifetimeMs });
    if (this.#stored.size <= maximum) return;
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined) this.#stored.delete(oldest);
  }
}

/** Of a time in the form of `momentText`, to the second; NaN for one that is infinite. */
function msOf(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`);
}
