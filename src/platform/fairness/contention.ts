/**
 * Decides who must hold back while others are active. All work of a process shares its event loop, so a user with eight
 * concurrent operations makes everybody else's operation take nine times as long, even with turns. While somebody else
 * is active, a user or organization that has begun many operations lately gets one at a time. Only recent operations
 * count: one that has run for longer is waiting and uses no CPU.
 */
import type { Principal } from './principal.js';

/** Tells when anybody else was last active, by keeping only the two latest principals. */
class RecentParties<Key> {
  #latest: { key: Key; atMs: number } | undefined;
  /** The latest principal other than `#latest`. */
  #before: { key: Key; atMs: number } | undefined;

  note(key: Key, atMs: number): void {
    if (this.#latest && this.#latest.key !== key) this.#before = this.#latest;
    this.#latest = { key, atMs };
  }

  /** When anybody else was last active; `-Infinity` if never. */
  lastOfOthersMs(key: Key): number {
    const other = this.#latest?.key === key ? this.#before : this.#latest;
    return other?.atMs ?? Number.NEGATIVE_INFINITY;
  }
}

/** Operations begun in about the last second; the first page of an application stays below. */
const busyFrom = 40;
const halfLifeMs = 1000;
/** How long a principal counts as active after an operation begins or ends. */
const activeMs = 100;
/** How long an operation counts as working rather than waiting. */
const workMs = 500;
const idleMs = 10_000;

interface Beginning {
  atMs: number;
}

/** The recent operations of a user or an organization. */
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
  readonly #now: () => number;
  readonly #organizations = new Activities<number>();
  readonly #users = new Activities<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the principal may begin now; otherwise it waits until one of its operations ends or nobody else is active. */
  admits({ organizationId, userId }: Principal): boolean {
    const nowMs = this.#now();
    return this.#organizations.admits(organizationId, nowMs) && this.#users.admits(userId, nowMs);
  }

  /** Counts an operation; call the returned function when it ends. */
  begin({ organizationId, userId }: Principal): () => void {
    const beginning = { atMs: this.#now() };
    const ends = [this.#organizations.begin(organizationId, beginning), this.#users.begin(userId, beginning)];
    return () => {
      const nowMs = this.#now();
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

  /** Removes principals that have been inactive for long. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < idleMs) return;
    this.#sweptMs = nowMs;
    for (const [key, activity] of this.#byKey) if (activity.isForgotten(nowMs)) this.#byKey.delete(key);
  }
}
