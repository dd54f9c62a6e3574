/**
 * Holds back output of a worker that may have been replaced. Once a worker has not confirmed its lease for most of its
 * duration, its output could be mixed with that of another attempt, so it is kept until the database confirms the
 * lease. The run itself continues, so an outage costs nothing. The clock is monotonic and advances while the process is
 * frozen, so a worker that resumes publishes nothing before it has asked.
 */
import type { Clock } from '../../../platform/async/clock.js';

export interface PublishingFenceOptions {
  clock: Pick<Clock, 'now'>;
  /** How long a confirmation is valid, from just before it was requested. Shorter than the lease. */
  safeLeaseMs: number;
}

export class PublishingFence<T> {
  readonly #options: PublishingFenceOptions;
  #confirmedMs = Number.NEGATIVE_INFINITY;
  /** Bounded by the limits of the generation. */
  #kept: T[] = [];
  #publish: (entry: T) => void = () => undefined;

  constructor(options: PublishingFenceOptions) {
    this.#options = options;
  }

  /** Whether this worker certainly holds the lease. */
  get hasValidLease(): boolean {
    return this.#options.clock.now() - this.#confirmedMs <= this.#options.safeLeaseMs;
  }

  /** Starts a new attempt with its own way to publish. Discards what an earlier attempt kept. */
  begin(publish: (entry: T) => void): void {
    this.drop();
    this.#publish = publish;
  }

  /** Discards what was kept, because its attempt is void. */
  drop(): void {
    this.#kept = [];
  }

  /** Publishes the entry now or when the lease is confirmed, always in order. */
  say(entry: T): void {
    this.#kept.push(entry);
    if (this.hasValidLease) this.release();
  }

  /** The database confirmed the lease, in response to a request at `askedMs`. */
  confirm(askedMs: number): void {
    this.#confirmedMs = Math.max(this.#confirmedMs, askedMs);
    if (this.hasValidLease) this.release();
  }

  /** Publishes what was kept, for a run whose outcome was just stored under its own epoch. */
  release(): void {
    for (const entry of this.#kept.splice(0)) this.#publish(entry);
  }
}
