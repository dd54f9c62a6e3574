import type { Clock } from '../../platform/async/clock.js';

/** A rate limit: a number of turns per second, and a burst after a quiet time. It stores a single number. */
export class TurnRate {
  readonly #stepMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** When the next turn would be free without a burst. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst, clock }: { perSecond: number; burst: number; clock: Clock }) {
    this.#stepMs = 1000 / perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Milliseconds until a turn is free; 0 if one is free now. */
  waitMs(): number {
    return Math.max(0, this.#nextMs - this.#clock.now());
  }

  /** Takes turns; those beyond what is free are borrowed from the future. */
  count(turns = 1): void {
    const earliestMs = this.#clock.now() - (this.#burst - 1) * this.#stepMs;
    this.#nextMs = Math.max(this.#nextMs, earliestMs) + turns * this.#stepMs;
  }

  /** Whether the limit is fully recovered, as if no turn had been taken. */
  isRested(): boolean {
    return this.#nextMs <= this.#clock.now() - (this.#burst - 1) * this.#stepMs;
  }
}
