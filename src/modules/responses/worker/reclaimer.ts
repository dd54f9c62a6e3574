/**
 * Work that a worker does for all others: fails messages queued beyond the operator's limit, reclaims lost runs, and
 * repairs contradictions. Time counts towards the queue limit only while this worker is alive, by the database's clock:
 * messages that waited through an absence of all workers are processed, not failed.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type ClaimedResponse, databaseTimeMs, type Worker } from '../protocol/claimed-response.js';
import { failUnclaimed } from '../protocol/fail-unclaimed.js';
import { reclaim } from '../protocol/reclaim.js';
import { repairImpossiblePairs } from '../protocol/repair.js';
import type { ConnectivityTracker } from './connectivity-tracker.js';
import { abandonedMs, type LeaseSettings } from './lease-settings.js';
import { SoleStart } from './sole-start.js';

export interface ReclaimerOptions {
  /** Maximum time in the queue while a worker is alive; null: unlimited. */
  queueLimitMs: number | null;
  /** The interval for checking threads whose state contradicts their response; null: they are never checked. */
  repairMs: number | null;
  lease: LeaseSettings;
  /** Whether another process may be a worker. */
  othersWork: () => Promise<boolean>;
  leases: PrismaClient;
  logger: Logger;
}

export class Reclaimer {
  readonly #options: ReclaimerOptions;
  readonly #connectivity: ConnectivityTracker;
  readonly #soleStart: SoleStart;
  /** Monotonic times. */
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastRepairMs = Number.NEGATIVE_INFINITY;
  /** The database time of the last contact, and since when contact was uninterrupted. */
  #seenAtMs: number | undefined;
  #aliveSinceMs = 0;
  /** The difference between the database's clock and the monotonic clock, and the most that it can have been. */
  #clockAheadMs: number | undefined;
  #mostAheadMs = Number.POSITIVE_INFINITY;
  #repaired = 0;
  #reclaimed = 0;

  constructor(options: ReclaimerOptions, connectivity: ConnectivityTracker) {
    this.#options = options;
    this.#connectivity = connectivity;
    this.#soleStart = new SoleStart(options.lease, options.othersWork);
  }

  /** Not at each wake-up of the worker, which are as frequent as messages. */
  get isDue(): boolean {
    return this.#soleStart.isDue || performance.now() - this.#lastMs >= this.#options.lease.pollMs * 0.9;
  }

  /** How long after its first check it may be sure to be the only worker: it should check again then. */
  get soleAfterMs(): number {
    return this.#soleStart.watchMs;
  }

  /** Whether it has reached the database recently. */
  get isAlive(): boolean {
    return performance.now() - this.#lastMs < 10 * this.#options.lease.pollMs;
  }

  /** Number of threads that this process has repaired. */
  get repaired(): number {
    return this.#repaired;
  }

  /** Number of responses that this process has reclaimed from lost workers. */
  get reclaimed(): number {
    return this.#reclaimed;
  }

  /** The present database time; undefined before the first contact. */
  get databaseNowMs(): number | undefined {
    return this.#clockAheadMs === undefined ? undefined : performance.now() + this.#clockAheadMs;
  }

  /** Does what is due, and returns the reclaimed runs, at most `slots()`. */
  async run(identity: () => Worker, slots: () => number): Promise<ClaimedResponse[]> {
    const { leases, lease, logger } = this.#options;
    const askedMs = performance.now();
    const nowMs = await this.#connectivity.attempt('ask for the time', () => databaseTimeMs(leases));
    if (nowMs === null) return [];
    this.#see(nowMs, askedMs);
    await this.#failUnclaimed(identity(), nowMs);
    await this.#repair();
    const isSole = await this.#soleStart.isSole();
    if (slots() === 0 || this.#connectivity.lastedMs < (isSole ? this.#soleStart.watchMs : lease.leaseMs)) return [];
    const unrenewedMs = isSole ? abandonedMs(lease) : lease.leaseMs;
    const taken = await this.#connectivity.attempt('reclaim lost responses', () =>
      reclaim(leases, identity(), slots(), unrenewedMs),
    );
    this.#reclaimed += taken?.length ?? 0;
    for (const { threadId, messageId, attempt } of taken ?? []) {
      logger.warn({ threadId, messageId, attempt }, 'reclaimed a lost response');
    }
    return taken ?? [];
  }

  #see(nowMs: number, askedMs: number): void {
    this.#lastMs = performance.now();
    this.#clockAheadMs = nowMs - this.#lastMs;
    if (this.#clockAheadMs - this.#mostAheadMs > this.#options.lease.heartbeatMs)
      this.#leap(this.#clockAheadMs - this.#mostAheadMs);
    this.#mostAheadMs = nowMs - askedMs;
    if (this.#seenAtMs === undefined || nowMs - this.#seenAtMs > this.#options.lease.leaseMs)
      this.#aliveSinceMs = nowMs;
    this.#seenAtMs = nowMs;
  }

  /** The leases of living workers have expired: until every one is renewed, nobody can be told from a lost one. */
  #leap(byMs: number): void {
    this.#connectivity.beginAnew();
    const seconds = Math.round(byMs / 1000);
    this.#options.logger.warn(
      { seconds },
      "the database's clock leapt ahead; lost responses are reclaimed one lease later",
    );
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
    if (repairMs === null || performance.now() - this.#lastRepairMs < repairMs) return;
    const repairs = await this.#connectivity.attempt('repair', () => repairImpossiblePairs(leases));
    if (repairs === null) return;
    this.#lastRepairMs = performance.now();
    this.#repaired += repairs.length;
    for (const repair of repairs) logger.error(repair, 'repaired a thread whose state contradicted its response');
  }
}
