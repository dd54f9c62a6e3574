/**
 * A throttle with fair turns: a burst of a few turns, then a fixed number per second, of which one user gets only a
 * part. Turns go round by organization and user (`FairQueue`), so the first follower of a user waits for at most one
 * turn of another user, and not for all of that user's followers.
 */

import type { Clock } from '../../async/clock.js';
import { FairQueue } from '../../fairness/fair-queue.js';
import type { Party } from '../../fairness/party.js';
import { TurnRate } from './turn-rate.js';

export interface FairThrottleOptions {
  perSecond: number;
  perSecondOfUser: number;
  /** Turns available at once after a quiet time. */
  burst: number;
  clock: Clock;
}

interface Waiter {
  party: Party;
  wake: () => void;
}

export class FairThrottle {
  readonly #options: FairThrottleOptions;
  readonly #queue = new FairQueue<Waiter>();
  readonly #rate: TurnRate;
  readonly #ofUsers = new Map<string, TurnRate>();
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FairThrottleOptions) {
    this.#options = options;
    this.#rate = new TurnRate(options);
  }

  /** Takes a turn if one is free now; otherwise returns false, and the caller must wait. */
  take(party: Party): boolean {
    if (this.#isClosed) return true;
    if (this.#queue.sizeOf(party) > 0 || !this.#isFree(party)) return false;
    this.#count(party);
    return true;
  }

  /** Charges the user for further turns, because what was found must also be loaded. */
  charge(party: Party, turns: number): void {
    this.#rateOf(party).count(turns);
  }

  /** Calls `wake` when it is the party's turn, unless the returned function is called first. */
  wait(party: Party, wake: () => void): () => void {
    const waiter = { party, wake };
    this.#queue.push(party, waiter);
    this.#schedule();
    return () => {
      this.#queue.delete(party, waiter);
      if (this.#queue.size === 0) this.#stopTimer();
    };
  }

  /** Wakes all waiters, because the process is stopping. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (let waiter = this.#queue.shift(); waiter; waiter = this.#queue.shift()) waiter.wake();
  }

  #isFree({ userId }: Party): boolean {
    return this.#rate.waitMs() === 0 && (this.#ofUsers.get(userId)?.waitMs() ?? 0) === 0;
  }

  #count(party: Party): void {
    this.#rate.count();
    this.#rateOf(party).count();
  }

  #rateOf({ userId }: Party): TurnRate {
    const { perSecondOfUser: perSecond, burst, clock } = this.#options;
    const rate = this.#ofUsers.get(userId) ?? new TurnRate({ perSecond, burst, clock });
    this.#ofUsers.set(userId, rate);
    return rate;
  }

  #schedule(): void {
    if (this.#cancelTimer || this.#queue.size === 0) return;
    const { perSecond, clock } = this.#options;
    // A user's own limit may end later than this. Then nobody is woken, and the timer is set again.
    this.#cancelTimer = clock.after(Math.max(this.#rate.waitMs(), 1000 / perSecond), () => {
      this.#cancelTimer = undefined;
      this.#wakeDue();
      this.#schedule();
    });
  }

  #wakeDue(): void {
    for (const [userId, rate] of this.#ofUsers) if (rate.isRested()) this.#ofUsers.delete(userId);
    while (this.#rate.waitMs() === 0) {
      const waiter = this.#queue.shift(({ party }) => this.#isFree(party));
      if (!waiter) return;
      this.#count(waiter.party);
      waiter.wake();
    }
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
