/**
 * The worker of a process: takes waiting responses, keeps their leases, replaces workers that were lost. It looks when it
 * is woken and each second besides; a wake-up carries no content, the table is the truth. A failing database ends neither
 * it nor its runs: those are fenced by their epoch, not by a clock. But it takes nothing over before it has had contact for
 * a whole lease, because during an outage the leases of healthy workers run out as well.
 */
import pLimit from 'p-limit';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { IntervalLoop } from '../../../async/interval-loop.js';
import { type RunOptions, runResponse } from '../generation/run-response.js';
import { type Claimer, claim, type ResponseShares } from '../protocol/claim.js';
import { expireAllLeases, heartbeat, release } from '../protocol/lease.js';
import type { Run } from '../protocol/run.js';
import { ActiveRuns } from './active-runs.js';
import { createClaimer } from './claimer.js';
import { ConnectivityTracker } from './connectivity-tracker.js';
import { type LeaseSettings, safeLeaseMs } from './lease-settings.js';
import { type ReaperOptions, Reclaimer } from './reclaimer.js';

export interface WorkerOptions extends Omit<RunOptions, 'worker' | 'limitOutcomes'>, ReaperOptions {
  lease: LeaseSettings;
  /** Two connections for the worker itself: a heartbeat that waits behind slow requests would cost every run its lease. */
  leases: PrismaClient;
  /** Responses that run at the same time in this process. */
  concurrency: number;
  /** How many of them may be of the same user, and of the same organization. */
  shares: ResponseShares;
  /** True where no other process uses the database: leases that an earlier process held are then certainly dead. */
  exclusive: boolean;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #identity: Claimer;
  readonly #runs: ActiveRuns;
  readonly #looks: IntervalLoop;
  readonly #beats: IntervalLoop;
  readonly #connectivity: ConnectivityTracker;
  readonly #reclaimer: Reclaimer;
  readonly #limitOutcomes = pLimit(4);
  /** True where the last look may have left something waiting for want of a free slot, or of room in somebody's share. */
  #leftSome = false;
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#identity = createClaimer(options);
    // Where there is no other process, nobody can have replaced this one.
    this.#runs = new ActiveRuns(options.exclusive ? Number.POSITIVE_INFINITY : safeLeaseMs(options.lease));
    const { leaseMs, heartbeatMs, pollMs } = options.lease;
    this.#connectivity = new ConnectivityTracker(options.logger, leaseMs - heartbeatMs - pollMs);
    this.#reclaimer = new Reclaimer(options, this.#connectivity);
    this.#looks = new IntervalLoop(options.lease.pollMs, () => this.#runs.bring(() => this.#look()));
    this.#beats = new IntervalLoop(options.lease.heartbeatMs, () => this.#beat());
  }

  /** Starts looking. In a database of its own, first ends the leases that an earlier process left behind. */
  async start(): Promise<void> {
    if (this.#options.exclusive) {
      await expireAllLeases(this.#options.leases);
      this.#connectivity.assumeAlways();
    }
    this.#looks.start();
    this.#beats.start();
  }

  /** Look now: something was queued, here or in another process. */
  wake(): void {
    this.#looks.now();
  }

  /** Somebody asked to stop this response: if it runs here, its call to the model is cut. */
  stopResponse(messageId: string): void {
    this.#runs.stopByRequest(messageId);
  }

  /** Asks the table who wants to stop what runs here: word of it may have been lost. */
  lookForStops(): void {
    this.#beats.now();
  }

  /** Responses that run now. */
  get size(): number {
    return this.#runs.size;
  }

  /** True where the worker reached the database lately. A service that only answers requests is not ready. */
  get isAlive(): boolean {
    return this.#reclaimer.isAlive;
  }

  /** Threads whose state contradicted their response, and that this worker has repaired. */
  get repaired(): number {
    return this.#reclaimer.repaired;
  }

  /** Takes nothing new, lets what runs finish for up to `graceMs`, and gives back the rest. */
  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#looks.stop();
    await this.#runs.settledWithin(graceMs);
    await this.#beats.stop();
    const unfinished = this.#runs.abortAll();
    if (unfinished.length > 0)
      await this.#connectivity.attempt('give back', () => release(this.#options.leases, unfinished));
    await this.#runs.settledWithin(1000);
  }

  get #asking(): Claimer {
    return { ...this.#identity, askedAtMs: this.#reclaimer.databaseNowMs };
  }

  get #freeSlots(): number {
    return this.#stopping ? 0 : Math.max(0, this.#options.concurrency - this.#runs.size);
  }

  async #look(): Promise<void> {
    const slots = this.#freeSlots;
    const askedMs = performance.now();
    const claimed =
      slots > 0 && (await this.#connectivity.attempt('claim', () => claim(this.#options.leases, this.#asking, slots)));
    for (const run of claimed || []) this.#start(run, askedMs);
    this.#leftSome = this.#freeSlots === 0 || this.#runs.size >= Math.min(...Object.values(this.#options.shares));
    if (this.#reclaimer.isDue) await this.#reap();
  }

  async #reap(): Promise<void> {
    const askedMs = performance.now();
    const taken = await this.#reclaimer.run(
      () => this.#asking,
      () => this.#freeSlots,
    );
    for (const run of taken) this.#start(run, askedMs);
  }

  #start(run: Run, askedMs: number): void {
    const options = { ...this.#options, worker: this.#identity, limitOutcomes: this.#limitOutcomes };
    const ended = this.#runs.add({ run, askedMs }, (entry) => runResponse(options, entry));
    void ended.then(() => {
      if (this.#leftSome) this.wake();
    });
  }

  /**
   * Renews the leases of the runs by name. A run that does not come back belongs to somebody else: its call is cut. Without
   * an answer nothing is known, and the runs go on; what they say is kept back when that lasts (`PublishingFence`).
   */
  async #beat(): Promise<void> {
    const entries = this.#runs.list();
    if (entries.length === 0) return;
    const sent = entries.map((entry) => entry.run);
    const askedMs = performance.now();
    const kept = await this.#connectivity.attempt('renew leases', () =>
      heartbeat(this.#options.leases, this.#identity, sent),
    );
    if (!kept) return;
    for (const run of kept) if (run.isStopRequested) this.#runs.stopByRequest(run.messageId);
    const keptNames = new Set(kept.map(nameOf));
    for (const [index, entry] of entries.entries()) {
      if (entry.run !== sent[index] || entry.isRestarting) continue;
      if (keptNames.has(nameOf(entry.run))) entry.fence.confirm(askedMs);
      else entry.abort.abort(new Error('the run belongs to somebody else'));
    }
  }
}

function nameOf(run: Run): string {
  return `${run.messageId} ${run.epoch}`;
}
