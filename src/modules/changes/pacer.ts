import type { Clock } from '../tokens/clock.js';

/**
 * Spreads what many want to do at the same moment over time: a few at once, and then so many a second. It keeps one
 * number, however many wait, and gives turns in the order in which they are taken.
 */
export class Pacer {
  readonly #stepMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst, clock }: { perSecond: number; burst: number; clock: Clock }) {
    this.#stepMs = 1000 / perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes a turn, and gives the moment of the clock at which it comes. It may have come already. */
  take(): number {
    const turnMs = Math.max(this.#nextMs, this.#clock.now() - (this.#burst - 1) * this.#stepMs);
    this.#nextMs = turnMs + this.#stepMs;
    return turnMs;
  }
}
