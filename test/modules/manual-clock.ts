import type { Clock } from '../../src/platform/async/clock.js';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves the time on and runs what became due, earliest first. */
  advance(byMs: number): void {
    const until = this.#now + byMs;
    for (;;) {
      const [next] = [...this.#timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }
}
