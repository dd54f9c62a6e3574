/**
 * Enforces a minimum rate of transfer: after a grace period, the average must not fall below it. Clients that occupy
 * memory or a place may be slow, but not arbitrarily slow.
 */
export interface RateLimits {
  bytesPerSecond: number;
  graceMs: number;
}

export class MinimumRate {
  readonly #limits: RateLimits;
  readonly #onTooSlow: () => void;
  readonly #startMs = performance.now();
  #timer: NodeJS.Timeout;
  #bytes = 0;

  /** Calls `onTooSlow` once, unless `end` is called first. */
  constructor(limits: RateLimits, onTooSlow: () => void) {
    this.#limits = limits;
    this.#onTooSlow = onTooSlow;
    this.#timer = this.#check(limits.graceMs);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #check(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const { graceMs, bytesPerSecond } = this.#limits;
      const leftMs = this.#startMs + graceMs + (this.#bytes * 1000) / bytesPerSecond - performance.now();
      if (leftMs <= 0) this.#onTooSlow();
      else this.#timer = this.#check(Math.ceil(leftMs));
    }, afterMs).unref();
  }
}
