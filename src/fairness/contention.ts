/**
 * Who has to hold back while others are there too. All work of a process shares its event loop, so whoever has eight things under
 * way makes everybody else's ninth take nine times as long, whatever the turns. While somebody else is active, a user or an
 * organization that has begun many things lately gets one thing at a time; who asks now and then, or is alone, notices nothing.
 * Only what has just begun counts: what has been under way for longer waits for something, and keeps no processor busy.
 */
import type { Party } from './party.js';
import { RecentParties } from './recent-parties.js';

/** Begun in about the last second: an application that opens its first page stays below. */
const busyFrom = 40;
const halfLifeMs = 1000;
/** How long somebody counts as active after a beginning or an end. */
const activeMs = 100;
/** How long something that was begun counts as work, and not as waiting. */
const workMs = 500;
const idleMs = 10_000;

interface Beginning {
  atMs: number;
}

/** What one user, or one organization, has begun. */
class Activity {
  readonly #underWay = new Set<Beginning>();
  #score = 0;
  #scoredAtMs = 0;

  begin(beginning: Beginning): void {
    this.#score = this.#scoreAt(beginning.atMs) + 1;
    this.#scoredAtMs = beginning.atMs;
    this.#underWay.add(beginning);
  }

  end(beginning: Beginning): void {
    this.#underWay.delete(beginning);
  }

  isBusy(nowMs: number): boolean {
    return this.#scoreAt(nowMs) > busyFrom;
  }

  isWorking(nowMs: number): boolean {
    for (const { atMs } of this.#underWay) if (nowMs - atMs < workMs) return true;
    return false;
  }

  isForgotten(nowMs: number): boolean {
    return this.#underWay.size === 0 && nowMs - this.#scoredAtMs > idleMs;
  }

  #scoreAt(nowMs: number): number {
    return this.#score * 2 ** ((this.#scoredAtMs - nowMs) / halfLifeMs);
  }
}

export class Contention {
  readonly #organizations = new Activities<number>();
  readonly #users = new Activities<string>();

  constructor(private readonly now: () => number) {}

  /** False where the party has to wait until something of it has ended, or nobody else is there. */
  admits({ organizationId, userId }: Party): boolean {
    const nowMs = this.now();
    return this.#organizations.admits(organizationId, nowMs) && this.#users.admits(userId, nowMs);
  }

  /** Counts something that begins; the returned function says that it has ended. */
  begin({ organizationId, userId }: Party): () => void {
    const beginning = { atMs: this.now() };
    const ends = [this.#organizations.begin(organizationId, beginning), this.#users.begin(userId, beginning)];
    return () => {
      const nowMs = this.now();
      for (const end of ends) end(nowMs);
    };
  }
}

class Activities<Key> {
  readonly #byKey = new Map<Key, Activity>();
  readonly #recent = new RecentParties<Key>();
  #sweptMs = 0;

  admits(key: Key, nowMs: number): boolean {
    const activity = this.#byKey.get(key);
    if (!activity?.isBusy(nowMs)) return true;
    return nowMs - this.#recent.lastOfOthersMs(key) > activeMs || !activity.isWorking(nowMs);
  }

  begin(key: Key, beginning: Beginning): (nowMs: number) => void {
    this.#sweep(beginning.atMs);
    const activity = this.#byKey.get(key) ?? new Activity();
    this.#byKey.set(key, activity);
    activity.begin(beginning);
    this.#recent.note(key, beginning.atMs);
    return (nowMs) => {
      activity.end(beginning);
      this.#recent.note(key, nowMs);
    };
  }

  /** Forgets those who have not been there for long. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < idleMs) return;
    this.#sweptMs = nowMs;
    for (const [key, activity] of this.#byKey) if (activity.isForgotten(nowMs)) this.#byKey.delete(key);
  }
}
