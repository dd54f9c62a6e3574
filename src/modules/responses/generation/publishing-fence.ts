/**
 * Stands between a run and its viewers. A worker that has not heard of its lease for most of it may have been replaced, and
 * what it said from then on would be seen beside the text of another attempt. So it keeps that back until the database
 * says whose the run is; the run itself goes on, because an outage must not cost it anything. The clock is monotonic and
 * counts on while the process is frozen, so a worker that thaws publishes nothing before it has asked.
 */
import type { Clock } from '../../../async/clock.js';

export interface PublishingFenceOptions {
  clock: Pick<Clock, 'now'>;
  /** How long the database's word holds, from just before it was asked. Less than the lease, which began later. */
  safeLeaseMs: number;
}

export class PublishingFence<T> {
  readonly #options: PublishingFenceOptions;
  #confirmedMs = Number.NEGATIVE_INFINITY;
  /** Bounded by what a response may say: the limits of its generation end the run. */
  #kept: T[] = [];
  #publish: (entry: T) => void = () => undefined;

  constructor(options: PublishingFenceOptions) {
    this.#options = options;
  }

  /** True where the run certainly is this worker's. */
  get hasValidLease(): boolean {
    return this.#options.clock.now() - this.#confirmedMs <= this.#options.safeLeaseMs;
  }

  /** A new attempt of the run, which publishes in its own way. What an earlier one has kept back is void. */
  begin(publish: (entry: T) => void): void {
    this.drop();
    this.#publish = publish;
  }

  /** What was kept back is void, because its attempt is. */
  drop(): void {
    this.#kept = [];
  }

  /** Publishes the entry, now or when the run is confirmed; never before an earlier one. */
  say(entry: T): void {
    this.#kept.push(entry);
    if (this.hasValidLease) this.release();
  }

  /** The database said that the run is this worker's, asked at `askedMs` of the clock. */
  confirm(askedMs: number): void {
    this.#confirmedMs = Math.max(this.#confirmedMs, askedMs);
    if (this.hasValidLease) this.release();
  }

  /** Publishes what was kept back: for a run whose outcome was just stored under its own epoch. */
  release(): void {
    for (const entry of this.#kept.splice(0)) this.#publish(entry);
  }
}
