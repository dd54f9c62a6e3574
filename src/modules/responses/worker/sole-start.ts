/**
 * Tells a worker that has just started whether it is the only one: what runs according to the table was then left by one that is
 * dead, and need not wait for its lease to expire. A living worker is seen, because it has a session that listens, and gets
 * it back sooner than this watches; and it renews its leases meanwhile. Where both fail a worker that lives, it has stopped to
 * publish by then (`safeLeaseMs`), and its run is fenced as after any other loss. From the first sight of another
 * worker on, only leases count.
 */
import { type LeaseSettings, watchMs } from './lease-settings.js';

export class SoleStart {
  readonly watchMs: number;
  readonly #othersWork: () => Promise<boolean>;
  /** By the end of it, the leases of a worker that was dead at the start have expired. */
  readonly #limitMs: number;
  /** Monotonic time of the first check. */
  #sinceMs: number | undefined;
  #isOver = false;
  #hasBeenSole = false;

  /** `othersWork` says whether another process may be a worker. If it rejects, nothing is known, and one may. */
  constructor(lease: LeaseSettings, othersWork: () => Promise<boolean>) {
    this.watchMs = watchMs(lease);
    this.#limitMs = this.watchMs + lease.leaseMs;
    this.#othersWork = othersWork;
  }

  /** Whether the next check may be the first that returns true. */
  get isDue(): boolean {
    return !this.#isOver && !this.#hasBeenSole && this.#watchedMs() >= this.watchMs;
  }

  /** Checks for others. True if none was seen at this or any check before, over the time of the watch. */
  async isSole(): Promise<boolean> {
    this.#sinceMs ??= performance.now();
    this.#isOver ||= this.#watchedMs() > this.#limitMs;
    this.#isOver ||= await this.#othersWork().catch(() => true);
    this.#hasBeenSole ||= this.isDue;
    return !this.#isOver && this.#hasBeenSole;
  }

  #watchedMs(): number {
    return this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs;
  }
}
