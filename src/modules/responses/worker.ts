/**
 * The worker of a process: takes waiting responses, keeps their leases, replaces workers that were lost. It looks when it
 * is woken and each second besides; a wake-up carries no content, the table is the truth. A failing database never ends
 * it: it goes on looking, and takes nothing over before it has had contact for a whole lease, because during an outage
 * the leases of healthy workers run out as well.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { TokenWriter } from '../tokens/token-log.js';
import { ActiveRuns } from './active-runs.js';
import { failUnclaimed } from './fail-unclaimed.js';
import type { GenerationLimits } from './generation-limits.js';
import type { LeaseSettings } from './lease-settings.js';
import type { Processor } from './processor.js';
import {
  claim,
  expireAllLeases,
  heartbeat,
  type Run,
  release,
  takeOver,
  type Worker as WorkerIdentity,
} from './protocol.js';
import type { RetrySettings } from './retry.js';
import { runResponse } from './run-response.js';
import { Ticker } from './ticker.js';

export interface WorkerOptions {
  database: PrismaClient;
  processor: Processor;
  tokens: TokenWriter;
  logger: Logger;
  lease: LeaseSettings;
  limits: GenerationLimits;
  retry: RetrySettings;
  contextTokens: number;
  /** Responses that run at the same time in this process. */
  concurrency: number;
  /** How long a response may wait for a worker before it fails. */
  queueLimitMs: number;
  /** True where no other process uses the database: leases that an earlier process held are then certainly dead. */
  exclusive: boolean;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #identity: WorkerIdentity;
  readonly #runs = new ActiveRuns();
  readonly #looks: Ticker;
  readonly #beats: Ticker;
  #contactSinceMs: number | null = null;
  #lastLookMs = Number.NEGATIVE_INFINITY;
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#identity = { id: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`, lease: options.lease };
    this.#looks = new Ticker(options.lease.pollMs, () => this.#look());
    this.#beats = new Ticker(options.lease.heartbeatMs, () => this.#beat());
  }

  /** Starts looking. In a database of its own, first ends the leases that an earlier process left behind. */
  async start(): Promise<void> {
    if (this.#options.exclusive) {
      await expireAllLeases(this.#options.database);
      this.#contactSinceMs = Number.NEGATIVE_INFINITY;
    }
    this.#looks.start();
    this.#beats.start();
  }

  /** Look now: something was queued, here or in another process. */
  wake(): void {
    this.#looks.now();
  }

  /** True where the worker reached the database lately. A service that only answers requests is not ready. */
  get isAlive(): boolean {
    return performance.now() - this.#lastLookMs < 10 * this.#options.lease.pollMs;
  }

  /** Takes nothing new, lets what runs finish for up to `graceMs`, and gives back the rest. */
  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#looks.stop();
    await this.#runs.settledWithin(graceMs);
    await this.#beats.stop();
    const unfinished = this.#runs.abortAll();
    if (unfinished.length > 0) await this.#attempt('give back', () => release(this.#options.database, unfinished));
    await this.#runs.settledWithin(1000);
  }

  async #look(): Promise<void> {
    const { database, lease, concurrency, queueLimitMs } = this.#options;
    for (;;) {
      const slots = concurrency - this.#runs.size;
      if (slots <= 0 || this.#stopping) break;
      const claimed = await this.#attempt('claim', () => claim(database, this.#identity, slots));
      if (!claimed) return;
      for (const run of claimed) this.#start(run);
      if (claimed.length < slots) break;
    }
    const now = performance.now();
    const isDue = now - this.#lastLookMs >= lease.pollMs * 0.9;
    this.#contactSinceMs ??= now;
    if (!isDue) return;
    this.#lastLookMs = now;
    await this.#attempt('fail unclaimed', () => failUnclaimed(database, queueLimitMs));
    if (now - this.#contactSinceMs >= lease.leaseMs) await this.#takeOverLost();
  }

  async #takeOverLost(): Promise<void> {
    const slots = this.#options.concurrency - this.#runs.size;
    if (slots <= 0 || this.#stopping) return;
    const taken = await this.#attempt('take over', () => takeOver(this.#options.database, this.#identity, slots));
    for (const run of taken ?? []) {
      this.#options.logger.warn(
        { threadId: run.threadId, messageId: run.messageId, attempt: run.attempt },
        'took over a lost response',
      );
      this.#start(run);
    }
  }

  #start(run: Run): void {
    const ended = this.#runs.add(run, async (entry) => {
      const onRestart = (next: Run) => {
        entry.run = next;
      };
      const options = { ...this.#options, worker: this.#identity, signal: entry.abort.signal, onRestart };
      await runResponse(options, run).catch((error: unknown) => {
        this.#options.logger.error({ err: error, messageId: run.messageId }, 'a run ended with a defect');
      });
    });
    void ended.then(() => this.wake());
  }

  /** Renews the leases of the runs by name. A run that does not come back belongs to somebody else: its call is cut. */
  async #beat(): Promise<void> {
    const sentMs = performance.now();
    const entries = this.#runs.list();
    if (entries.length === 0) return;
    const runs = entries.map((entry) => entry.run);
    const kept = await this.#attempt('renew leases', () => heartbeat(this.#options.database, this.#identity, runs));
    const keptNames = new Set(kept?.map(nameOf));
    for (const [index, entry] of entries.entries()) {
      const run = runs[index];
      if (run && keptNames.has(nameOf(run))) entry.renewedMs = sentMs;
      else if (kept && entry.run === run) entry.abort.abort(new Error('the run belongs to another worker'));
      else if (sentMs - entry.renewedMs > this.#options.lease.leaseMs - 1000)
        entry.abort.abort(new Error('the lease ran out'));
    }
  }

  async #attempt<T>(what: string, statement: () => Promise<T>): Promise<T | null> {
    try {
      return await statement();
    } catch (error) {
      this.#contactSinceMs = null;
      this.#options.logger.error({ err: error }, `the worker could not ${what}; it will try again`);
      return null;
    }
  }
}

function nameOf(run: Run): string {
  return `${run.messageId} ${run.epoch}`;
}
