import type { Clock } from '../../async/clock.js';

/** So many turns a second, and a few at once after a quiet time. It keeps one number, however many turns are taken. */
export class TurnRate {
  readonly #stepMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** When the next turn would be, were there no burst. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst, clock }: { perSecond: number; burst: number; clock: Clock }) {
    this.#stepMs = 1000 / perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** How long it is until a turn may be taken; 0 where one may be taken now. */
  waitMs(): number {
    return Math.max(0, this.#nextMs - this.#clock.now());
  }

  /** Takes so many turns; beyond what is free, they are taken from what comes. */
  count(turns = 1): void {
    const earliestMs = this.#clock.now() - (this.#burst - 1) * this.#stepMs;
    this.#nextMs = Math.max(this.#nextMs, earliestMs) + turns * this.#stepMs;
  }

  /** Whether it is as if no turn had ever been taken. */
  isRested(): boolean {
    return this.#nextMs <= this.#clock.now() - (this.#burst - 1) * this.#stepMs;
  }
}
