/**
 * Signals changes to the followers of threads in this process and schedules their reads. A signal has no content:
 * followers read what they may see. Each read takes a place and keeps it for a moment longer, so there are only so many in
 * a second: at most 200 in a process, and at most half of them for one user, in turns by organization and user. A follower
 * that waits for its turn sees several changes at once. Followers that are behind have as many places of their own: their
 * reads find many changes, and delay no follower that has caught up.
 */
import { type Clock, systemClock } from '../../platform/async/clock.js';
import { type Topic, Topics } from '../../platform/async/topic.js';
import { FairSemaphore } from '../../platform/fairness/fair-semaphore.js';
import type { Principal } from '../../platform/fairness/principal.js';

const placesInAll = 8;

/** No more wait than there are streams. */
const places = {
  total: placesInAll,
  perOrganization: placesInAll,
  perUser: placesInAll / 2,
  waitingPerUser: Number.POSITIVE_INFINITY,
};

/** Number of changes whose loading costs as much as one read. */
const changesOfRead = 10;

export class ChangeSignals {
  readonly clock: Clock;
  readonly #topics = new Topics();
  /** Those who read, or have just read. */
  readonly #live = new FairSemaphore(places);
  readonly #behind = new FairSemaphore(places);
  /** How long a place is kept after a read. */
  readonly #pauseMs: number;
  #followers = 0;
  #closed = false;

  constructor(clock: Clock = systemClock, readsPerSecond = 200) {
    this.clock = clock;
    this.#pauseMs = (1000 * placesInAll) / readsPerSecond;
  }

  /** Whether the process is stopping. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Handles a notification: the id of the organization and of the changed thread, separated by a space. */
  receive(payload: string): void {
    for (const name of payload.split(' ')) this.#topics.get(name)?.invalidate();
  }

  /** Signals all followers, because notifications may have been lost. */
  receiveAll(): void {
    for (const topic of this.#topics.all()) topic.invalidate();
  }

  /** `name` is the id of an organization or of a thread. */
  enter(name: string): Topic {
    this.#followers += 1;
    return this.#topics.enter(name);
  }

  leave(name: string, topic: Topic): void {
    this.#followers -= 1;
    this.#topics.leave(name, topic);
  }

  /** Resolves in the follower's turn to what ends it, after a read that found so many changes; to null if the follower leaves. */
  async takeTurn(
    principal: Principal,
    { isBehind, left }: { isBehind: boolean; left: AbortSignal },
  ): Promise<((changes: number) => void) | null> {
    const turns = isBehind ? this.#behind : this.#live;
    const release = await turns.acquire(principal, { signal: left }).catch(() => null);
    return release && ((changes) => this.clock.after(this.#pauseMs * (1 + changes / changesOfRead), release));
  }

  close(): void {
    this.#closed = true;
    this.#live.close();
    this.#behind.close();
    this.receiveAll();
  }

  stats(): { followers: number; topics: number } {
    return { followers: this.#followers, topics: [...this.#topics.all()].length };
  }
}
