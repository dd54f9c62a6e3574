/**
 * One follower's subscription to a topic of changes, which schedules its reads: when the topic is signalled (at most ten
 * times per second), and at intervals, because signals may be lost and access may have ended. All followers take turns
 * to read.
 */
import { Revalidator } from '../../platform/async/revalidator.js';
import type { Topic } from '../../platform/async/topic.js';
import type { Principal } from '../../platform/fairness/principal.js';
import type { ChangeSignals } from './change-signals.js';

export interface FeedSubscriptionOptions {
  signals: ChangeSignals;
  /** The follower's user and organization, which take turns to read. */
  principal: Principal;
  /** Id of an organization or of a thread. */
  topic: string;
  /** The interval of reads without a signal. */
  recheckMs?: number;
  /** The minimum time between two reads. */
  gapMs?: number;
  /** How long a read remains valid: a slow follower must not be shown what was hidden meanwhile. */
  freshMs?: number;
  /** How long failing reads are repeated, except for the first. */
  patienceMs?: number;
}

const defaults = { recheckMs: 10_000, gapMs: 100, freshMs: 1000, patienceMs: 60_000 };

export class FeedSubscription {
  readonly #options: Required<FeedSubscriptionOptions>;
  readonly #topic: Topic;
  readonly #reads: Revalidator;
  readonly #left = new AbortController();
  #freshUntil = Number.NEGATIVE_INFINITY;

  constructor(options: FeedSubscriptionOptions) {
    this.#options = { ...defaults, ...options };
    const { signals, recheckMs, patienceMs } = this.#options;
    const { clock } = signals;
    const isStopping = () => signals.closed;
    this.#topic = signals.enter(options.topic);
    this.#reads = new Revalidator({
      topic: this.#topic,
      clock,
      recheckMs,
      staleMs: recheckMs,
      patienceMs,
      isStopping,
    });
  }

  /**
   * Runs `read` in the follower's turn; null if the follower has left. Throws its error after retries. Where it finds many
   * changes, which must be loaded, the next turns come later. `isBehind` tells that it is about to find many.
   */
  async read<T>(
    read: () => Promise<T | null>,
    { changesIn = () => 0, isBehind = false }: { changesIn?: (found: T) => number; isBehind?: boolean } = {},
  ): Promise<T | null> {
    const { signals, principal, gapMs, freshMs } = this.#options;
    await this.#reads.rest(gapMs);
    const endTurn = this.#reads.isOver
      ? null
      : await signals.takeTurn(principal, { isBehind, left: this.#left.signal });
    if (this.#reads.isOver) endTurn?.(0);
    if (!endTurn || this.#reads.isOver) return null;
    return this.#reads.read(async () => {
      let changes = 0;
      try {
        const found = await read();
        this.#freshUntil = signals.clock.now() + freshMs;
        if (found !== null) changes = changesIn(found);
        return found;
      } finally {
        endTurn(changes);
      }
    });
  }

  /** Whether the last read is still valid. */
  get isFresh(): boolean {
    return this.#options.signals.clock.now() <= this.#freshUntil;
  }

  /** Waits for a signal or the next interval. */
  wait(): Promise<void> {
    return this.#reads.wait();
  }

  close(): void {
    if (this.#left.signal.aborted) return;
    this.#left.abort();
    this.#reads.close();
    this.#options.signals.leave(this.#options.topic, this.#topic);
  }
}
