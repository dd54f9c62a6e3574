/**
 * A throttle with fair turns: a burst of a few turns, then a fixed number per second, of which one user gets only a
 * part. Turns go round by organization and user (`FairQueue`), so the first follower of a user waits for at most one
 * turn of another user, and not for all of that user's followers.
 */

import type { Clock } from '../../platform/async/clock.js';
import { FairQueue } from '../../platform/fairness/fair-queue.js';
import type { Principal } from '../../platform/fairness/principal.js';
import { TurnRate } from './turn-rate.js';

export interface FairThrottleOptions {
  perSecond: number;
  perSecondOfUser: number;
  /** Turns available at once after a quiet time. */
  burst: number;
  clock: Clock;
}

interface Waiter {
  principal: Principal;
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
  take(principal: Principal): boolean {
    if (this.#isClosed) return true;
    if (this.#queue.sizeOf(principal) > 0 || !this.#isFree(principal)) return false;
    this.#count(principal);
    return true;
  }

  /** Charges the user for further turns, because what was found must also be loaded. */
  charge(principal: Principal, turns: number): void {
    this.#rateOf(principal).count(turns);
  }

  /** Calls `wake` when it is the principal's turn, unless the returned function is called first. */
  wait(principal: Principal, wake: () => void): () => void {
    const waiter = { principal, wake };
    this.#queue.push(waiter);
    this.#schedule();
    return () => {
      this.#queue.delete(waiter);
      if (this.#queue.size === 0) this.#stopTimer();
    };
  }

  /** Wakes all waiters, because the process is stopping. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    const next = () => this.#queue.next(() => true);
    for (let waiter = next(); waiter; waiter = next()) {
      this.#queue.serve(waiter);
      waiter.wake();
    }
  }

  #isFree({ userId }: Principal): boolean {
    return this.#rate.waitMs() === 0 && (this.#ofUsers.get(userId)?.waitMs() ?? 0) === 0;
  }

  #count(principal: Principal): void {
    this.#rate.count();
    this.#rateOf(principal).count();
  }

  #rateOf({ userId }: Principal): TurnRate {
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
      const waiter = this.#queue.next(({ principal }) => this.#isFree(principal));
      if (!waiter) return;
      this.#queue.serve(waiter);
      this.#count(waiter.principal);
      waiter.wake();
    }
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
