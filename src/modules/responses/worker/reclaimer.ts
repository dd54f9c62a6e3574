/**
 * What a worker does for all: it ends what has waited for too long, where the operator has set a limit, takes over runs
 * that were lost, and repairs what contradicts itself. Time counts towards the limit on waiting only while this worker
 * lives, by the clock of the database: what waited through an absence of all workers is answered, not failed.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { failUnclaimed } from '../protocol/fail-unclaimed.js';
import { reclaim } from '../protocol/reclaim.js';
import { repairImpossiblePairs } from '../protocol/repair.js';
import { databaseTimeMs, type Run, type Worker } from '../protocol/run.js';
import type { ConnectivityTracker } from './connectivity-tracker.js';
import type { LeaseSettings } from './lease-settings.js';

export interface ReaperOptions {
  /** How long a message may wait for a worker while one lives; null: as long as it takes. */
  queueLimitMs: number | null;
  /** How often to look for threads whose state contradicts their response. */
  repairMs: number;
  lease: LeaseSettings;
  leases: PrismaClient;
  logger: Logger;
}

export class Reclaimer {
  readonly #options: ReaperOptions;
  readonly #connectivity: ConnectivityTracker;
  /** Monotonic times of this process. */
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastRepairMs = Number.NEGATIVE_INFINITY;
  /** The database's time when the worker last asked for it, and since when it has done so without a gap. */
  #seenAtMs: number | undefined;
  #aliveSinceMs = 0;
  /** By how much the database's clock is ahead of the monotonic one of this process. */
  #clockAheadMs: number | undefined;
  #repaired = 0;

  constructor(options: ReaperOptions, connectivity: ConnectivityTracker) {
    this.#options = options;
    this.#connectivity = connectivity;
  }

  /** Not at each wake-up of the worker: those come as often as messages. */
  get isDue(): boolean {
    return performance.now() - this.#lastMs >= this.#options.lease.pollMs * 0.9;
  }

  /** Whether it reached the database lately. */
  get isAlive(): boolean {
    return performance.now() - this.#lastMs < 10 * this.#options.lease.pollMs;
  }

  /** Threads that this process has repaired. */
  get repaired(): number {
    return this.#repaired;
  }

  /** The present time of the database's clock; undefined before the first contact. */
  get databaseNowMs(): number | undefined {
    return this.#clockAheadMs === undefined ? undefined : performance.now() + this.#clockAheadMs;
  }

  /** Does what is due, and gives the runs that the worker has taken over, at most `slots()` of them. */
  async run(asking: () => Worker, slots: () => number): Promise<Run[]> {
    const { leases, lease, logger } = this.#options;
    const nowMs = await this.#connectivity.attempt('ask for the time', () => databaseTimeMs(leases));
    if (nowMs === null) return [];
    this.#see(nowMs);
    await this.#failUnclaimed(asking(), nowMs);
    await this.#repair();
    if (slots() === 0 || this.#connectivity.lastedMs < lease.leaseMs) return [];
    const taken = await this.#connectivity.attempt('take over', () => reclaim(leases, asking(), slots()));
    for (const { threadId, messageId, attempt } of taken ?? []) {
      logger.warn({ threadId, messageId, attempt }, 'reclaimed a lost response');
    }
    return taken ?? [];
  }

  #see(nowMs: number): void {
    this.#lastMs = performance.now();
    this.#clockAheadMs = nowMs - this.#lastMs;
    if (this.#seenAtMs === undefined || nowMs - this.#seenAtMs > this.#options.lease.leaseMs)
      this.#aliveSinceMs = nowMs;
    this.#seenAtMs = nowMs;
  }

  async #failUnclaimed(worker: Worker, nowMs: number): Promise<void> {
    const { leases, logger, queueLimitMs: limitMs } = this.#options;
    if (limitMs === null || nowMs - this.#aliveSinceMs < limitMs) return;
    const failed = await this.#connectivity.attempt('fail what waits', () =>
      failUnclaimed(leases, worker, { limitMs }),
    );
    for (const ids of failed ?? []) logger.warn({ ...ids, limitMs }, 'failed a message that was queued for too long');
  }

  async #repair(): Promise<void> {
    const { leases, logger, repairMs } = this.#options;
    if (performance.now() - this.#lastRepairMs < repairMs) return;
    const repairs = await this.#connectivity.attempt('repair', () => repairImpossiblePairs(leases));
    if (repairs === null) return;
    this.#lastRepairMs = performance.now();
    this.#repaired += repairs.length;
    for (const repair of repairs) logger.error(repair, 'repaired a thread whose state contradicted its response');
  }
}
