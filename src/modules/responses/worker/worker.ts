/**
 * The worker of a process: claims queued responses, renews their leases, and replaces lost workers. It polls every
 * second and when notified; a notification has no content, the table is the truth. A database outage ends neither the
 * worker nor its runs: they are fenced by their epoch, not by a clock. After a silence it reclaims nothing before
 * it has had contact for a whole lease, because leases of healthy workers expire during an outage too. For statements that store a message it
 * reserves free slots, so that they claim the response themselves.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import pLimit from 'p-limit';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { IntervalLoop } from '../../../platform/async/interval-loop.js';
import { withinMs } from '../../../platform/async/time-limit.js';
import type { NewestConversation } from '../../messages/newest-messages.js';
import { readBytesOf } from '../generation/conversation.js';
import { type RunOptions, runResponse } from '../generation/run-response.js';
import { type Claimer, claim, type ResponseShares, ServedTurns } from '../protocol/claim.js';
import type { ClaimedAtOnce, Slot, Slots } from '../protocol/claim-at-once.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import { expireAllLeases, heartbeat, release } from '../protocol/lease.js';
import { ActiveRuns } from './active-runs.js';
import { ConnectivityTracker } from './connectivity-tracker.js';
import { harmlessSilenceMs, type LeaseSettings, safeLeaseMs } from './lease-settings.js';
import { Reclaimer, type ReclaimerOptions } from './reclaimer.js';

export interface WorkerOptions extends Omit<RunOptions, 'worker' | 'inTurn' | 'conversation'>, ReclaimerOptions {
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

/** How long a reservation waits for the present poll, so that the two do not overlap. */
const pollWaitMs = 100;

export class Worker implements Slots {
  readonly #options: WorkerOptions;
  readonly #identity: Claimer;
  readonly #runs: ActiveRuns;
  readonly #pollLoop: IntervalLoop;
  readonly #heartbeatLoop: IntervalLoop;
  readonly #connectivity: ConnectivityTracker;
  readonly #reclaimer: Reclaimer;
  /** The main pool reserves as many connections for work that is not done for a user. */
  readonly #inTurn = pLimit(4);
  /** Whether the last poll may have left responses queued for lack of a slot or a share. */
  #leftSome = false;
  #solePoll: NodeJS.Timeout | undefined;
  /** The present poll. */
  #polling: Promise<void> | undefined;
  #reserved = 0;
  /** Whether the last poll may have left responses queued because of reserved slots. None is reserved until another poll has not. */
  #leftForReserved = false;
  #state: 'new' | 'open' | 'stopping' | 'stopped' = 'new';

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { lease, shares } = options;
    // No other process has this name.
    const id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
    this.#identity = { id, lease, shares, served: new ServedTurns() };
    // Without other processes, nobody can have replaced this one.
    this.#runs = new ActiveRuns(options.exclusive ? Number.POSITIVE_INFINITY : safeLeaseMs(options.lease));
    this.#connectivity = new ConnectivityTracker(options.logger, harmlessSilenceMs(options.lease));
    this.#reclaimer = new Reclaimer(options, this.#connectivity);
    this.#pollLoop = new IntervalLoop(options.lease.pollMs, () => this.#pollAlone());
    this.#heartbeatLoop = new IntervalLoop(options.lease.heartbeatMs, () => this.#heartbeat());
  }

  /** Starts polling. The first process of a database of its own first expires the leases of an earlier one. */
  async start(): Promise<void> {
    if (this.#options.startsAlone) {
      await expireAllLeases(this.#options.leases);
      this.#connectivity.assumeAlways();
    }
    this.#state = 'open';
    this.#pollLoop.start();
    this.#heartbeatLoop.start();
  }

  /**
   * Reserves a slot unless all are taken. A poll that is in progress could take the same one, or more of a share than is left, so its
   * end is awaited; a later poll counts what is reserved.
   */
  async reserve<T>(send: (slot: Slot | null) => Promise<T>): Promise<T> {
    if (this.#polling) await withinMs(pollWaitMs, this.#pollEnds());
    if (this.#polling || this.#leftForReserved || this.#freeSlots === 0) return send(null);
    const others = this.#reserved;
    this.#reserved += 1;
    try {
      return await this.#runs.collect(() => send(this.#slot(others)));
    } finally {
      this.#reserved -= 1;
      if (this.#leftForReserved) this.wake();
    }
  }

  #slot(others: number): Slot {
    const reservedMs = performance.now();
    const conversationBytes = readBytesOf(this.#options.contextTokens);
    return {
      worker: this.#timedIdentity,
      others,
      reservedMs,
      conversationBytes,
      begin: (claimed) => this.#begin(claimed, reservedMs),
    };
  }

  #begin({ run, conversation, ...served }: ClaimedAtOnce, reservedMs: number): void {
    this.#identity.served?.add(served);
    if (this.#state === 'stopped') void this.#release([run]);
    else this.#start(run, reservedMs, conversation);
  }

  /** Polls now, because a response was queued. */
  wake(): void {
    this.#pollLoop.now();
  }

  /** Handles a stop request: cancels the model call if the response runs here. */
  stopResponse(messageId: string): void {
    this.#runs.stopByRequest(messageId);
  }

  /** Reads pending stop requests from the table, because notifications may have been lost. */
  lookForStops(): void {
    this.#heartbeatLoop.now();
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

  /** Number of responses that this worker has reclaimed from lost ones. */
  get reclaimed(): number {
    return this.#reclaimer.reclaimed;
  }

  /** Claims nothing new, lets running responses finish for up to `graceMs`, and releases the rest. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#state = 'stopping';
    clearTimeout(this.#solePoll);
    await this.#pollLoop.stop();
    await this.#runs.settledWithin(graceMs);
    await this.#heartbeatLoop.stop();
    const unfinished = this.#runs.abortAll();
    this.#state = 'stopped';
    if (unfinished.length > 0) await this.#release(unfinished);
    await this.#runs.settledWithin(1000);
    await this.#options.namer?.stop();
  }

  async #release(runs: ClaimedResponse[]): Promise<void> {
    await this.#connectivity.attempt('release its responses', () => release(this.#options.leases, runs));
  }

  /** With the time of a request that is sent now. */
  get #timedIdentity(): Claimer {
    return { ...this.#identity, askedAtMs: this.#reclaimer.databaseNowMs };
  }

  get #freeSlots(): number {
    return this.#state === 'open' ? Math.max(0, this.#options.concurrency - this.#runs.size - this.#reserved) : 0;
  }

  async #pollAlone(): Promise<void> {
    this.#polling = this.#runs.collect(() => this.#poll());
    await this.#polling;
    this.#polling = undefined;
  }

  async #pollEnds(): Promise<void> {
    while (this.#polling) await this.#polling;
  }

  async #poll(): Promise<void> {
    const slots = this.#freeSlots;
    const reserved = this.#reserved;
    const askedMs = performance.now();
    const claimer = { ...this.#timedIdentity, shares: lessThan(this.#options.shares, reserved) };
    const claimed =
      slots > 0 && (await this.#connectivity.attempt('claim', () => claim(this.#options.leases, claimer, slots)));
    for (const run of claimed || []) this.#start(run, askedMs);
    const leastShare = Math.min(...Object.values(this.#options.shares));
    this.#leftSome = this.#freeSlots === 0 || this.#runs.size >= leastShare;
    this.#leftForReserved = reserved > 0 && (this.#freeSlots === 0 || this.#runs.size + 2 * reserved >= leastShare);
    // A slot that was released meanwhile wakes nobody any more.
    if (this.#leftForReserved && this.#reserved < reserved) this.wake();
    if (this.#reclaimer.isDue) await this.#reclaim();
  }

  async #reclaim(): Promise<void> {
    const askedMs = performance.now();
    const taken = await this.#reclaimer.run(
      () => this.#timedIdentity,
      () => this.#freeSlots,
    );
    for (const run of taken) this.#start(run, askedMs);
    if (this.#state === 'open') this.#solePoll ??= setTimeout(() => this.wake(), this.#reclaimer.soleAfterMs);
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
  async #heartbeat(): Promise<void> {
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

/** What is left of the shares if the responses that so many slots are reserved for are all of the same user. */
function lessThan({ perUser, perOrganization }: ResponseShares, reserved: number): ResponseShares {
  return { perUser: Math.max(0, perUser - reserved), perOrganization: Math.max(0, perOrganization - reserved) };
}

function nameOf(run: ClaimedResponse): string {
  return `${run.messageId} ${run.epoch}`;
}
