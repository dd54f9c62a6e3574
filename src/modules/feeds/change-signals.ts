/**
 * Tells those who follow threads in this process that something has changed, and when they may look. A signal holds no
 * content: whoever gets one reads for itself, what it may see. However many follow and however much changes, this process
 * makes at most 200 such reads a second (each of one or two statements), half of them for one user; turns go round by
 * organization and by user, and who must wait sees several changes at once then.
 */
import { type Clock, systemClock } from '../../async/clock.js';
import { type Watch, Watches } from '../tokens/log/watch.js';
import { FairThrottle } from './fair-throttle.js';

const readsPerSecond = 200;
const readsOfUser = 100;
const readsAtOnce = 20;

export class ChangeSignals {
  readonly clock: Clock;
  readonly #watches = new Watches();
  /** Of reading. */
  readonly turns: FairThrottle;
  #followers = 0;
  #closed = false;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
    const rates = { perSecond: readsPerSecond, perSecondOfUser: readsOfUser, burst: readsAtOnce };
    this.turns = new FairThrottle({ ...rates, clock });
  }

  /** True when the process stops: there is nothing to wait for any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Takes a notification: the organization and the thread that has changed in it, with a space between. */
  receive(payload: string): void {
    for (const topic of payload.split(' ')) this.#watches.get(topic)?.invalidate();
  }

  /** Everybody is to look: notifications may have been lost. */
  receiveAll(): void {
    for (const watch of this.#watches.all()) watch.invalidate();
  }

  /** `topic` is the id of an organization or of a thread. */
  enter(topic: string): Watch {
    this.#followers += 1;
    return this.#watches.enter(topic);
  }

  leave(topic: string, watch: Watch): void {
    this.#followers -= 1;
    this.#watches.leave(topic, watch);
  }

  close(): void {
    this.#closed = true;
    this.turns.close();
    this.receiveAll();
  }

  stats(): { followers: number; topics: number } {
    return { followers: this.#followers, topics: [...this.#watches.all()].length };
  }
}
