/**
 * When one follower looks: at once, when its topic is signalled (not more often than ten times a second), and now and then in
 * any case, because signals may get lost and the right to see may be gone. It joins the topic before it reads, so a change
 * between the two is not lost. A database that cannot be read holds a follower up, and ends it only after long.
 */
import type { Party } from '../../fairness/party.js';
import { Sleeper } from '../tokens/log/sleeper.js';
import type { Watch } from '../tokens/log/watch.js';
import type { ChangeSignals } from './change-signals.js';

export interface ChangeWatchOptions {
  signals: ChangeSignals;
  /** Who follows: turns to read go round by it. */
  party: Party;
  /** Id of an organization or of a thread. */
  topic: string;
  /** Time after which it looks without a signal. */
  recheckMs?: number;
  /** Shortest time between two looks. */
  gapMs?: number;
  /** How long what was read may be shown: a follower who takes it slowly must not be shown what is hidden meanwhile. */
  freshMs?: number;
  /** How long it goes on trying to read, except the first time. */
  patienceMs?: number;
}

/** Changes that are shown in the time of one look. */
const changesOfTurn = 10;

const defaults = { recheckMs: 10_000, gapMs: 100, freshMs: 1000, patienceMs: 60_000 };

export class ChangeWatch {
  readonly #options: Required<ChangeWatchOptions>;
  readonly #watch: Watch;
  readonly #sleeper = new Sleeper();
  #revision: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: ChangeWatchOptions) {
    this.#options = { ...defaults, ...options };
    this.#watch = options.signals.enter(options.topic);
  }

  /** What `read` gives, when it is this follower's turn; null when there is nobody to show it to. Throws what it throws, in the end. */
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

  /** Counts what was found by the last look: so many take as long to show as a look. */
  found(changes: number): void {
    this.#options.signals.turns.charge(this.#options.party, changes / changesOfTurn);
  }

  /** False when what was read last is too old to be shown. */
  isFresh(): boolean {
    return this.#now() <= this.#freshUntil;
  }

  /** Waits for a signal, or for the next look to be due. */
  wait(): Promise<void> {
    const isSignalled = () => this.#watch.revision !== this.#revision;
    return this.#until(this.#lookedAt + this.#options.recheckMs, isSignalled);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sleeper.wake();
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
    await this.#sleeper.sleep((wake) => signals.turns.wait(party, wake));
  }

  async #until(moment: number, isEnough: () => boolean = () => false): Promise<void> {
    const { clock } = this.#options.signals;
    while (!this.#isOver() && !isEnough() && clock.now() < moment) {
      await this.#sleeper.sleep(
        (wake) => clock.after(moment - clock.now(), wake),
        (wake) => this.#watch.wait(wake),
      );
    }
  }
}
