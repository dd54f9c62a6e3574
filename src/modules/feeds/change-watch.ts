/**
 * Schedules the reads of one follower: when its topic is signalled (at most ten times per second), and at intervals,
 * because signals may be lost and access may have ended. It subscribes before it reads, so no change in between is
 * lost. Failing reads delay the follower and end it only after a long time.
 */

import { Signal } from '../../async/signal.js';
import type { Topic } from '../../async/topic.js';
import type { Party } from '../../fairness/party.js';
import type { ChangeSignals } from './change-signals.js';

export interface ChangeWatchOptions {
  signals: ChangeSignals;
  /** The follower's user and organization, which take turns to read. */
  party: Party;
  /** Id of an organization or of a thread. */
  topic: string;
  /** The interval of reads without a signal. */
  recheckMs?: number;
  /** The minimum time between two reads. */
  gapMs?: number;
  /** How long a read remains valid: a slow follower must not be shown what was hidden meanwhile. */
  freshMs?: number;
  /** How long failing reads are retried, except for the first. */
  patienceMs?: number;
}

/** Number of changes whose loading costs as much as one read. */
const changesOfTurn = 10;

const defaults = { recheckMs: 10_000, gapMs: 100, freshMs: 1000, patienceMs: 60_000 };

export class ChangeWatch {
  readonly #options: Required<ChangeWatchOptions>;
  readonly #watch: Topic;
  readonly #signal = new Signal();
  #revision: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: ChangeWatchOptions) {
    this.#options = { ...defaults, ...options };
    this.#watch = options.signals.enter(options.topic);
  }

  /** Runs `read` in the follower's turn; null if the follower has left. Throws its error after retries. */
  async look<T>(read: () => Promise<T | null>): Promise<T | null> {
    const { gapMs, freshMs, patienceMs, recheckMs } = this.#options;
    const isFirst = this.#revision === undefined;
    const giveUpAt = this.#now() + (isFirst ? 0 : patienceMs);
    await this.#until(this.#lookedAt + gapMs);
    await this.#takeTurn();
    while (!this.#isOver()) {
      const { revision } = this.#watch;
      try {
        this.#lookedAt = this.#now();
        const found = await read();
        this.#revision = revision;
        this.#freshUntil = this.#now() + freshMs;
        return found;
      } catch (error) {
        if (this.#now() >= giveUpAt) throw error;
      }
      await this.#until(this.#now() + Math.min(recheckMs, 2000));
    }
    return null;
  }

  /** Charges the follower for the changes found by the last read, which must be loaded. */
  found(changes: number): void {
    this.#options.signals.turns.charge(this.#options.party, changes / changesOfTurn);
  }

  /** Whether the last read is still valid. */
  isFresh(): boolean {
    return this.#now() <= this.#freshUntil;
  }

  /** Waits for a signal or the next interval. */
  wait(): Promise<void> {
    const isSignalled = () => this.#watch.revision !== this.#revision;
    return this.#until(this.#lookedAt + this.#options.recheckMs, isSignalled);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#signal.wake();
    this.#options.signals.leave(this.#options.topic, this.#watch);
  }

  #now(): number {
    return this.#options.signals.clock.now();
  }

  #isOver(): boolean {
    return this.#closed || this.#options.signals.closed;
  }

  async #takeTurn(): Promise<void> {
    const { signals, party } = this.#options;
    if (this.#isOver() || signals.turns.take(party)) return;
    await this.#signal.sleep((wake) => signals.turns.wait(party, wake));
  }

  async #until(moment: number, isEnough: () => boolean = () => false): Promise<void> {
    const { clock } = this.#options.signals;
    while (!this.#isOver() && !isEnough() && clock.now() < moment) {
      await this.#signal.sleep(
        (wake) => clock.after(moment - clock.now(), wake),
        (wake) => this.#watch.wait(wake),
      );
    }
  }
}
