/**
 * Decides which users and organizations must hold back while others are active. All work of a process shares its event
 * loop, so a user with eight concurrent operations makes everybody else's operation take nine times as long, even with
 * turns. While somebody else is active, whoever has begun many operations lately gets one at a time. Only recent operations
 * count: one that has run for longer is waiting and uses no CPU.
 */
import type { Clock } from '../async/clock.js';
import type { Principal } from './principal.js';

/** Operations begun in about the last second; the first page of an application stays below. */
const busyFrom = 40;
const halfLifeMs = 1000;
/** How long somebody counts as active after an operation begins or ends. */
const activeMs = 100;
/** How long an operation counts as working rather than waiting. */
const workMs = 500;
const idleMs = 10_000;

export class Contention {
  readonly #clock: Clock;
  readonly #organizations = new Activities<Principal['organizationId']>();
  readonly #users = new Activities<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether they may begin now; otherwise they wait until one of their operations ends or nobody else is active. */
  admits({ organizationId, userId }: Principal): boolean {
    const nowMs = this.#clock.now();
    return this.#organizations.admits(organizationId, nowMs) && this.#users.admits(userId, nowMs);
  }

  /** Counts an operation; call the returned function when it ends. */
  begin({ organizationId, userId }: Principal): () => void {
    const nowMs = this.#clock.now();
    const ends = [this.#organizations.begin(organizationId, nowMs), this.#users.begin(userId, nowMs)];
    return () => {
      const endMs = this.#clock.now();
      for (const end of ends) end(endMs);
    };
  }
}

/** The recent operations of a user or an organization. */
interface Activity {
  /** The number of operations begun lately, as of `scoredAtMs`. */
  score: number;
  scoredAtMs: number;
  underWay: Set<{ atMs: number }>;
}

class Activities<Key> {
  readonly #activities = new Map<Key, Activity>();
  /** The two who were active last: they tell when anybody else was. */
  #latest: { key: Key; atMs: number } | undefined;
  #before: { key: Key; atMs: number } | undefined;
  #sweptMs = 0;

  admits(key: Key, nowMs: number): boolean {
    const activity = this.#activities.get(key);
    if (!activity || scoreAt(activity, nowMs) <= busyFrom) return true;
    const other = this.#latest?.key === key ? this.#before : this.#latest;
    if (!other || nowMs - other.atMs > activeMs) return true;
    for (const { atMs } of activity.underWay) if (nowMs - atMs < workMs) return false;
    return true;
  }

  begin(key: Key, atMs: number): (nowMs: number) => void {
    this.#forgetIdle(atMs);
    const activity = this.#activities.get(key) ?? { score: 0, scoredAtMs: atMs, underWay: new Set() };
    this.#activities.set(key, activity);
    activity.score = scoreAt(activity, atMs) + 1;
    activity.scoredAtMs = atMs;
    const beginning = { atMs };
    activity.underWay.add(beginning);
    this.#note(key, atMs);
    return (nowMs) => {
      activity.underWay.delete(beginning);
      this.#note(key, nowMs);
    };
  }

  #note(key: Key, atMs: number): void {
    if (this.#latest?.key !== key) this.#before = this.#latest;
    this.#latest = { key, atMs };
  }

  #forgetIdle(nowMs: number): void {
    if (nowMs - this.#sweptMs < idleMs) return;
    this.#sweptMs = nowMs;
    for (const [key, { underWay, scoredAtMs }] of this.#activities) {
      if (underWay.size === 0 && nowMs - scoredAtMs > idleMs) this.#activities.delete(key);
    }
  }
}

function scoreAt({ score, scoredAtMs }: Activity, nowMs: number): number {
  return score * 2 ** ((scoredAtMs - nowMs) / halfLifeMs);
}
