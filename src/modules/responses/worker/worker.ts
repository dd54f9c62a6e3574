/**
 * The worker of a process: claims queued responses, renews their leases, and replaces lost workers. It polls every
 * second and when notified; a notification has no content, the table is the truth. A database outage ends neither the
 * worker nor its runs: they are fenced by their epoch, not by a clock. It reclaims nothing before it has had contact
 * for a whole lease, because leases of healthy workers expire during an outage too.
 */
import pLimit from 'p-limit';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { IntervalLoop } from '../../../platform/async/interval-loop.js';
import { type RunOptions, runResponse } from '../generation/run-response.js';
import { type Claimer, claim, type ResponseShares } from '../protocol/claim.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import { expireAllLeases, heartbeat, release } from '../protocol/lease.js';
import { ActiveRuns } from './active-runs.js';
import { createClaimer } from './claimer.js';
import { ConnectivityTracker } from './connectivity-tracker.js';
import { type LeaseSettings, safeLeaseMs } from './lease-settings.js';
import { type ReaperOptions, Reclaimer } from './reclaimer.js';

export interface WorkerOptions extends Omit<RunOptions, 'worker' | 'inTurn'>, ReaperOptions {
  lease: LeaseSettings;
  /**
   * Two connections reserved for the worker: a heartbeat that waits behind slow requests would cost all runs their
   * leases.
   */
  leases: PrismaClient;
  /** Maximum number of running responses in this process. */
  concurrency: number;
  /** Maximum number of these per user and organization. */
  shares: ResponseShares;
  /** Whether no other process can use the database. */
  exclusive: boolean;
  /** Whether no other process uses the database yet: leases of an earlier process are then certainly dead. */
  startsAlone: boolean;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #identity: Claimer;
  readonly #runs: ActiveRuns;
  readonly #looks: IntervalLoop;
  readonly #beats: IntervalLoop;
  readonly #connectivity: ConnectivityTracker;
  readonly #reclaimer: Reclaimer;
  /** The main pool reserves as many connections for work that is not done for a user. */
  readonly #inTurn = pLimit(4);
  /** Whether the last poll may have left responses queued for lack of a slot or a share. */
  #leftSome = false;
  #soleLook: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#identity = createClaimer(options);
    // Without other processes, nobody can have replaced this one.
    this.#runs = new ActiveRuns(options.exclusive ? Number.POSITIVE_INFINITY : safeLeaseMs(options.lease));
    const { leaseMs, heartbeatMs, pollMs } = options.lease;
    this.#connectivity = new ConnectivityTracker(options.logger, leaseMs - heartbeatMs - pollMs);
    this.#reclaimer = new Reclaimer(options, this.#connectivity);
    this.#looks = new IntervalLoop(options.lease.pollMs, () => this.#runs.bring(() => this.#look()));
    this.#beats = new IntervalLoop(options.lease.heartbeatMs, () => this.#beat());
  }

  /** Starts polling. The first process of a database of its own first expires the leases of an earlier one. */
  async start(): Promise<void> {
    if (this.#options.startsAlone) {
      await expireAllLeases(this.#options.leases);
      this.#connectivity.assumeAlways();
    }
    this.#looks.start();
    this.#beats.start();
  }

  /** Polls now, because a response was queued. */
  wake(): void {
    this.#looks.now();
  }

  /** Handles a stop request: cancels the model call if the response runs here. */
  stopResponse(messageId: string): void {
    this.#runs.stopByRequest(messageId);
  }

  /** Reads pending stop requests from the table, because notifications may have been lost. */
  lookForStops(): void {
    this.#beats.now();
  }

  /** Number of running responses. */
  get size(): number {
    return this.#runs.size;
  }

  /** Whether the worker has reached the database recently. Otherwise the service is not ready. */
  get isAlive(): boolean {
    return this.#reclaimer.isAlive;
  }

  /** Number of contradictory threads that this worker has repaired. */
  get repaired(): number {
    return this.#reclaimer.repaired;
  }

  /** Number of responses that this worker has taken over from lost ones. */
  get takenOver(): number {
    return this.#reclaimer.takenOver;
  }

  /** Claims nothing new, lets running responses finish for up to `graceMs`, and releases the rest. */
  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    clearTimeout(this.#soleLook);
    await this.#looks.stop();
    await this.#runs.settledWithin(graceMs);
    await this.#beats.stop();
    const unfinished = this.#runs.abortAll();
    if (unfinished.length > 0)
      await this.#connectivity.attempt('give back', () => release(this.#options.leases, unfinished));
    await this.#runs.settledWithin(1000);
    await this.#options.namer?.stop();
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
    if (!this.#stopping) this.#soleLook ??= setTimeout(() => this.wake(), this.#reclaimer.soleAfterMs);
  }

  #start(run: ClaimedResponse, askedMs: number): void {
    const options = { ...this.#options, worker: this.#identity, inTurn: this.#inTurn };
    const ended = this.#runs.add({ run, askedMs }, (entry) => runResponse(options, entry));
    void ended.then(() => {
      if (this.#leftSome) this.wake();
    });
  }

  /**
   * Renews the leases of the runs by name. A run that is not returned belongs to another worker, and its call is
   * cancelled. Without a response nothing is known, and the runs continue; if that lasts, their output is held back
   * (`PublishingFence`).
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

function nameOf(run: ClaimedResponse): string {
  return `${run.messageId} ${run.epoch}`;
}
