/**
 * Signals changes to the followers of threads in this process and schedules their reads. A signal has no content:
 * followers read what they may see. Unless given other rates, the process makes at most 200 such reads per second (each
 * of one or two statements), at most half of them for one user, in turns by organization and user. A follower that waits
 * for its turn sees several changes at once.
 */
import { type Clock, systemClock } from '../../platform/async/clock.js';
import { type Topic, Topics } from '../../platform/async/topic.js';
import { FairThrottle, type FairThrottleOptions } from './fair-throttle.js';

const defaultRates = { perSecond: 200, perSecondOfUser: 100, burst: 20 };

export class ChangeSignals {
  readonly clock: Clock;
  readonly #topics = new Topics();
  /** Turns to read. */
  readonly turns: FairThrottle;
  #followers = 0;
  #closed = false;

  constructor(clock: Clock = systemClock, rates: Omit<FairThrottleOptions, 'clock'> = defaultRates) {
    this.clock = clock;
    this.turns = new FairThrottle({ ...rates, clock });
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

  close(): void {
    this.#closed = true;
    this.turns.close();
    this.receiveAll();
  }

  stats(): { followers: number; topics: number } {
    return { followers: this.#followers, topics: [...this.#topics.all()].length };
  }
}
