/**
 * The worker of a process: claims queued responses, renews their leases, and replaces lost workers. It polls every
 * second and when notified; a notification has no content, the table is the truth. A database outage ends neither the
 * worker nor its runs: they are fenced by their epoch, not by a clock. It reclaims nothing before it has had contact
 * for a whole lease, because leases of healthy workers expire during an outage too. To statements that store a message it
 * lends its free slots, so that they claim the response themselves.
 */
import pLimit from 'p-limit';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { IntervalLoop } from '../../../platform/async/interval-loop.js';
import { withinMs } from '../../../platform/async/time-limit.js';
import type { NewestConversation } from '../../messages/newest-messages.js';
import { readBytesOf } from '../generation/conversation.js';
import { type RunOptions, runResponse } from '../generation/run-response.js';
import { type Claimer, claim, type ResponseShares } from '../protocol/claim.js';
import type { ClaimedAtOnce, Slot, Slots } from '../protocol/claim-at-once.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import { expireAllLeases, heartbeat, release } from '../protocol/lease.js';
import { ActiveRuns } from './active-runs.js';
import { createClaimer } from './claimer.js';
import { ConnectivityTracker } from './connectivity-tracker.js';
import { type LeaseSettings, safeLeaseMs } from './lease-settings.js';
import { type ReaperOptions, Reclaimer } from './reclaimer.js';

export interface WorkerOptions extends Omit<RunOptions, 'worker' | 'inTurn' | 'conversation'>, ReaperOptions {
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

/** How long a statement waits for the present look at the queue, so that it does not come between. */
const lookLimitMs = 100;

export class Worker implements Slots {
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
  /** The present look at the queue. */
  #looking: Promise<void> | undefined;
  #lent = 0;
  /** Whether the last look may have left responses queued because of lent slots. None is lent until another look has not. */
  #leftToLent = false;
  #state: 'new' | 'open' | 'stopping' | 'stopped' = 'new';

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#identity = createClaimer(options);
    // Without other processes, nobody can have replaced this one.
    this.#runs = new ActiveRuns(options.exclusive ? Number.POSITIVE_INFINITY : safeLeaseMs(options.lease));
    const { leaseMs, heartbeatMs, pollMs } = options.lease;
    this.#connectivity = new ConnectivityTracker(options.logger, leaseMs - heartbeatMs - pollMs);
    this.#reclaimer = new Reclaimer(options, this.#connectivity);
    this.#looks = new IntervalLoop(options.lease.pollMs, () => this.#lookAlone());
    this.#beats = new IntervalLoop(options.lease.heartbeatMs, () => this.#beat());
  }

  /** Starts polling. The first process of a database of its own first expires the leases of an earlier one. */
  async start(): Promise<void> {
    if (this.#options.startsAlone) {
      await expireAllLeases(this.#options.leases);
      this.#connectivity.assumeAlways();
    }
    this.#state = 'open';
    this.#looks.start();
    this.#beats.start();
  }

  /**
   * Lends a slot unless all are taken. A look that is in progress could take the same one, or more of a share than is left, so its
   * end is awaited; a later look counts what is lent.
   */
  async lend<T>(send: (slot: Slot | null) => Promise<T>): Promise<T> {
    if (this.#looking) await withinMs(lookLimitMs, this.#lookEnds());
    if (this.#looking || this.#leftToLent || this.#freeSlots === 0) return send(null);
    const others = this.#lent;
    this.#lent += 1;
    try {
      return await this.#runs.bring(() => send(this.#slot(others)));
    } finally {
      this.#lent -= 1;
      if (this.#leftToLent) this.wake();
    }
  }

  #slot(others: number): Slot {
    const lentMs = performance.now();
    const conversationBytes = readBytesOf(this.#options.contextTokens);
    return {
      worker: this.#asking,
      others,
      lentMs,
      conversationBytes,
      begin: (claimed) => this.#begin(claimed, lentMs),
    };
  }

  #begin({ run, conversation, ...served }: ClaimedAtOnce, lentMs: number): void {
    this.#identity.served?.add(served);
    if (this.#state === 'stopped') void this.#giveBack([run]);
    else this.#start(run, lentMs, conversation);
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
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#state = 'stopping';
    clearTimeout(this.#soleLook);
    await this.#looks.stop();
    await this.#runs.settledWithin(graceMs);
    await this.#beats.stop();
    const unfinished = this.#runs.abortAll();
    this.#state = 'stopped';
    if (unfinished.length > 0) await this.#giveBack(unfinished);
    await this.#runs.settledWithin(1000);
    await this.#options.namer?.stop();
  }

  async #giveBack(runs: ClaimedResponse[]): Promise<void> {
    await this.#connectivity.attempt('give back', () => release(this.#options.leases, runs));
  }

  get #asking(): Claimer {
    return { ...this.#identity, askedAtMs: this.#reclaimer.databaseNowMs };
  }

  get #freeSlots(): number {
    return this.#state === 'open' ? Math.max(0, this.#options.concurrency - this.#runs.size - this.#lent) : 0;
  }

  async #lookAlone(): Promise<void> {
    this.#looking = this.#runs.bring(() => this.#look());
    await this.#looking;
    this.#looking = undefined;
  }

  async #lookEnds(): Promise<void> {
    while (this.#looking) await this.#looking;
  }

  async #look(): Promise<void> {
    const slots = this.#freeSlots;
    const lent = this.#lent;
    const askedMs = performance.now();
    const claimer = { ...this.#asking, shares: lessThan(this.#options.shares, lent) };
    const claimed =
      slots > 0 && (await this.#connectivity.attempt('claim', () => claim(this.#options.leases, claimer, slots)));
    for (const run of claimed || []) this.#start(run, askedMs);
    const leastShare = Math.min(...Object.values(this.#options.shares));
    this.#leftSome = this.#freeSlots === 0 || this.#runs.size >= leastShare;
    this.#leftToLent = lent > 0 && (this.#freeSlots === 0 || this.#runs.size + 2 * lent >= leastShare);
    // What was given back meanwhile wakes nobody any more.
    if (this.#leftToLent && this.#lent < lent) this.wake();
    if (this.#reclaimer.isDue) await this.#reap();
  }

  async #reap(): Promise<void> {
    const askedMs = performance.now();
    const taken = await this.#reclaimer.run(
      () => this.#asking,
      () => this.#freeSlots,
    );
    for (const run of taken) this.#start(run, askedMs);
    if (this.#state === 'open') this.#soleLook ??= setTimeout(() => this.wake(), this.#reclaimer.soleAfterMs);
  }

  #start(run: ClaimedResponse, askedMs: number, conversation: NewestConversation | null = null): void {
    const options = { ...this.#options, worker: this.#identity, inTurn: this.#inTurn, conversation };
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

/** What is left of the shares if the responses that so many slots are lent for are all of the same user. */
function lessThan({ perUser, perOrganization }: ResponseShares, lent: number): ResponseShares {
  return { perUser: Math.max(0, perUser - lent), perOrganization: Math.max(0, perOrganization - lent) };
}

function nameOf(run: ClaimedResponse): string {
  return `${run.messageId} ${run.epoch}`;
}
