/**
 * Tells those who follow threads in this process that something has changed, and when they may look. A signal holds no
 * content: whoever gets one reads for itself, what it may see. However many follow and however much changes, this process
 * makes at most 200 such reads a second (each of one or two statements); who must wait sees several changes at once then.
 */
import { type Clock, systemClock } from '../tokens/clock.js';
import { type Watch, Watches } from '../tokens/watch.js';
import { Pacer } from './pacer.js';

const readsPerSecond = 200;
const readsAtOnce = 20;

export class ChangeSignals {
  readonly clock: Clock;
  readonly #watches = new Watches();
  readonly #pacer: Pacer;
  #followers = 0;
  #closed = false;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
    this.#pacer = new Pacer({ perSecond: readsPerSecond, burst: readsAtOnce, clock });
  }

  /** True when the process stops: there is nothing to wait for any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Takes a notification: the organization and the thread that has changed in it, with a space between. */
  receive(payload: string): void {
    for (const topic of payload.split(' ')) this.#watches.get(topic)?.callForLook();
  }

  /** Everybody is to look: notifications may have been lost. */
  receiveAll(): void {
    for (const watch of this.#watches.all()) watch.callForLook();
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

  /** Takes a turn to read, and gives the moment of the clock at which it comes. */
  takeTurn(): number {
    return this.#pacer.take();
  }

  close(): void {
    this.#closed = true;
    this.receiveAll();
  }

  stats(): { followers: number; topics: number } {
    return { followers: this.#followers, topics: [...this.#watches.all()].length };
  }
}
